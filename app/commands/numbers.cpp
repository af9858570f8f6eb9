// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/numbers.h"
#include "core/base/units.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace stageloom {

namespace {

constexpr std::size_t kShown = 24; // characters of a value in a message

std::string shown(const std::string& text)
{
    return text.size() <= kShown ? text : text.substr(0, kShown) + "…";
}

bool isWhole(std::string_view digits)
{
    if (digits.starts_with('-'))
        digits.remove_prefix(1);
    return !digits.empty()
        && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

[[noreturn]] void refuseTooSmall(
    const std::string& option, const std::string& text, const std::string& least, bool leftOut)
{
    refuseOption(fmt::format("{} is {}; it takes numbers {}{}", option, shown(text),
        leftOut ? "above " : "from ", leftOut ? least : least + " on"));
}

[[noreturn]] void refuseTooLarge(
    const std::string& option, const std::string& text, const std::string& most)
{
    refuseOption(fmt::format("{} is {}; it takes numbers up to {}", option, shown(text), most));
}

} // namespace

void refuseOption(const std::string& sentence)
{
    throw CLI::ValidationError(sentence, 1);
}

template <typename Number>
Number readNumber(const std::string& option, const std::string& text, const Range<Number>& range)
{
    std::string_view digits = trim(text);
    if (digits.empty())
        refuseOption(fmt::format("{} has an empty place where a number belongs", option));
    if (digits.starts_with('+'))
        digits.remove_prefix(1);
    if (std::is_integral_v<Number> && !isWhole(digits))
        throw CLI::ConversionError(fmt::format("{}: '{}' is no whole number", option, shown(text)));
    const std::string least = fmt::format("{:.6}", double(range.least));
    Number value {};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range || std::is_unsigned_v<Number>) {
        if (digits.starts_with('-'))
            refuseTooSmall(option, text, least, range.leastLeftOut);
        if (error != std::errc())
            refuseTooLarge(option, text, fmt::format("{}", range.most));
    }
    if (error != std::errc() || end != digits.data() + digits.size())
        throw CLI::ConversionError(fmt::format("{}: '{}' is no number", option, shown(text)));
    if (!std::isfinite(double(value)))
        refuseOption(fmt::format("{} is {}; it takes finite numbers", option, shown(text)));
    if (value < range.least || (range.leastLeftOut && value == range.least))
        refuseTooSmall(option, text, least, range.leastLeftOut);
    if (value > range.most)
        refuseTooLarge(option, text, fmt::format("{}", range.most));
    return value;
}

template int readNumber(const std::string&, const std::string&, const Range<int>&);
template std::int64_t readNumber(
    const std::string&, const std::string&, const Range<std::int64_t>&);
template std::uint64_t readNumber(
    const std::string&, const std::string&, const Range<std::uint64_t>&);
template double readNumber(const std::string&, const std::string&, const Range<double>&);

double readBytes(const std::string& option, const std::string& text)
{
    if (trim(text).empty())
        refuseOption(fmt::format("{} is empty; it takes a size such as 22GB or 20GiB", option));
    const std::optional<double> bytes = parseBytes(text);
    if (!bytes)
        throw CLI::ConversionError(fmt::format(
            "{}: '{}' is no size; write 22GB, 20GiB or a number of bytes", option, shown(text)));
    if (!std::isfinite(*bytes) || *bytes <= 0)
        refuseOption(fmt::format("{} is {}; it takes sizes above 0", option, shown(text)));
    return *bytes;
}

} // namespace stageloom
