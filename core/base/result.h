// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace stageloom {

// What kind of expected failure it is; decides the exit code and the place where the window shows
// it.
enum class ErrorKind { Invalid, Infeasible, Unsupported, Io, Busy, Timeout, Cancelled, Internal };

// An expected failure. `message` is one whole sentence for a person: what, which value, where
// (file and line or key), and what helps.
struct Error {
    ErrorKind kind = ErrorKind::Invalid;
    std::string message;
};

template <typename T> using Result = tl::expected<T, Error>;
using Status = Result<void>;

namespace detail {
std::string sentence(std::string text); // printable() of text.h
}

// What of a file or an argument goes into the text is made printable.
// `return fail(ErrorKind::Io, "cannot read {}: {}", path, reason);`
template <typename... Args>
[[nodiscard]] tl::unexpected<Error> fail(
    ErrorKind kind, fmt::format_string<Args...> text, Args&&... args)
{
    return tl::unexpected<Error>(
        Error { kind, detail::sentence(fmt::format(text, std::forward<Args>(args)...)) });
}

// Passes the error of one result on as that of another.
template <typename T> [[nodiscard]] tl::unexpected<Error> failure(const Result<T>& result)
{
    return tl::unexpected<Error>(result.error());
}

} // namespace stageloom
