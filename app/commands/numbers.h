// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"
#include <CLI/CLI.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace stageloom {

// What an option takes.
template <typename Number> struct Range {
    Number least, most = std::numeric_limits<Number>::max();
    bool leastLeftOut = false; // only above it
};

// The number written in `text`, always decimal: 010 is ten. A word is wrong use (exit code 2); an
// empty text and a number outside of the range are refused (exit code 1) with the option's name.
// For int, std::int64_t, std::uint64_t and double.
template <typename Number>
Number readNumber(const std::string& option, const std::string& text, const Range<Number>& range);
// The same for a size such as 22GB or 80GiB, above 0.
double readBytes(const std::string& option, const std::string& text);

// What the parser throws for a value that is refused: exit code 1 and this sentence.
[[noreturn]] void refuseOption(const std::string& sentence);

namespace detail {
template <typename T> struct NumberIn {
    using Type = T;
};
template <typename T> struct NumberIn<std::optional<T>> {
    using Type = T;
};
template <typename T> struct NumberIn<std::vector<T>> {
    using Type = T;
};
} // namespace detail

// An option or a place for a number, an optional one, or a list (`1,2,3`, also as several words).
template <typename Target>
CLI::Option* addNumber(CLI::App& app, const std::string& names, Target& target,
    const std::string& description, Range<typename detail::NumberIn<Target>::Type> range)
{
    using Number = typename detail::NumberIn<Target>::Type;
    const std::string name = names.substr(0, names.find(','));
    if constexpr (std::is_same_v<Target, std::vector<Number>>)
        return app
            .add_option_function<std::vector<std::string>>(
                names,
                [&target, name, range](const std::vector<std::string>& words) {
                    target.clear();
                    for (const std::string& word : words)
                        for (const std::string_view place : split(word, ','))
                            target.push_back(readNumber(name, std::string(place), range));
                },
                description)
            ->type_name("N");
    else
        return app
            .add_option_function<std::string>(
                names,
                [&target, name, range](
                    const std::string& word) { target = readNumber(name, word, range); },
                description)
            ->type_name("N");
}

} // namespace stageloom
