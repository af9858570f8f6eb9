// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace stageloom {

namespace {

// Three significant digits, trailing zeros kept: 398, 39.8, 3.98.
std::string threeDigits(double value)
{
    const double magnitude = std::fabs(value);
    if (magnitude >= 99.95)
        return fmt::format("{:.0f}", value);
    if (magnitude >= 9.995)
        return fmt::format("{:.1f}", value);
    return fmt::format("{:.2f}", value);
}

struct Step {
    double factor;
    const char* unit;
};

template <std::size_t N> std::string scaled(double value, const Step (&steps)[N])
{
    if (!std::isfinite(value))
        return "–";
    for (const Step& step : steps) // from large to small
        if (std::fabs(value) >= step.factor * 0.9995 || &step == &steps[N - 1])
            return threeDigits(value / step.factor) + step.unit;
    return {};
}

} // namespace

std::string formatSeconds(double seconds)
{
    if (seconds == 0)
        return "0 s";
    if (std::fabs(seconds) >= 3600)
        return fmt::format("{:.0f} h {:02.0f} min", std::floor(seconds / 3600),
            std::floor(std::fmod(seconds, 3600) / 60));
    if (std::fabs(seconds) >= 100)
        return fmt::format(
            "{:.0f} min {:02.0f} s", std::floor(seconds / 60), std::floor(std::fmod(seconds, 60)));
    return scaled(seconds,
        { Step { 1, " s" }, Step { 1e-3, " ms" }, Step { 1e-6, " µs" }, Step { 1e-9, " ns" } });
}

std::string formatBytes(double bytes)
{
    if (std::fabs(bytes) < 1000)
        return fmt::format("{:.0f} B", bytes);
    return scaled(bytes,
        { Step { 0x1p40, " TiB" }, Step { 0x1p30, " GiB" }, Step { 0x1p20, " MiB" },
            Step { 0x1p10, " KiB" } });
}

std::string formatBandwidth(double bytesPerSecond)
{
    return scaled(bytesPerSecond,
        { Step { 1e12, " TB/s" }, Step { 1e9, " GB/s" }, Step { 1e6, " MB/s" },
            Step { 1e3, " kB/s" }, Step { 1, " B/s" } });
}

std::string formatCount(double count)
{
    if (std::fabs(count) < 1000)
        return fmt::format("{:.0f}", count);
    return scaled(
        count, { Step { 1e12, " T" }, Step { 1e9, " B" }, Step { 1e6, " M" }, Step { 1e3, " k" } });
}

std::string formatPercent(double fraction)
{
    return std::isfinite(fraction) ? fmt::format("{:.1f} %", fraction * 100) : "–";
}

std::string formatRate(double perSecond, const std::string& unit)
{
    if (!std::isfinite(perSecond))
        return "–";
    if (std::fabs(perSecond) < 100)
        return threeDigits(perSecond) + " " + unit + "/s";
    return groupDigits(std::llround(perSecond)) + " " + unit + "/s";
}

namespace {

double twoDigits(double value)
{
    if (value == 0 || !std::isfinite(value))
        return value;
    const double unit = std::pow(10, std::floor(std::log10(std::fabs(value))) - 1);
    return std::round(value / unit) * unit;
}

// Of a value that has no more digits: 14, 1.4, 0.14.
template <std::size_t N> std::string bare(double value, const Step (&steps)[N])
{
    for (const Step& step : steps)
        if (std::fabs(value) >= step.factor * 0.9995 || &step == &steps[N - 1])
            return fmt::format("{:.4g}{}", value / step.factor, step.unit);
    return {};
}

} // namespace

std::string aboutSeconds(double seconds)
{
    const double known = twoDigits(seconds);
    if (!std::isfinite(known))
        return "–";
    if (known == 0 || std::fabs(known) >= 100)
        return "≈ " + formatSeconds(known);
    return "≈ "
        + bare(known,
            { Step { 1, " s" }, Step { 1e-3, " ms" }, Step { 1e-6, " µs" }, Step { 1e-9, " ns" } });
}

std::string aboutRate(double perSecond, const std::string& unit)
{
    const double known = twoDigits(perSecond);
    if (!std::isfinite(known))
        return "–";
    return "≈ "
        + bare(known,
            { Step { 1e9, " B " }, Step { 1e6, " M " }, Step { 1e3, " k " }, Step { 1, " " } })
        + unit + "/s";
}

std::optional<double> parseBytes(std::string_view text)
{
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc())
        return std::nullopt;
    std::string unit(end, text.data() + text.size());
    unit.erase(0,
        unit.find_first_not_of(' ') == std::string::npos ? unit.size()
                                                         : unit.find_first_not_of(' '));
    constexpr Step kUnits[]
        = { { 1, "" }, { 1, "b" }, { 1e3, "kb" }, { 1e6, "mb" }, { 1e9, "gb" }, { 1e12, "tb" },
              { 0x1p10, "kib" }, { 0x1p20, "mib" }, { 0x1p30, "gib" }, { 0x1p40, "tib" } };
    for (char& c : unit)
        c = char(std::tolower(static_cast<unsigned char>(c)));
    for (const Step& known : kUnits)
        if (unit == known.unit)
            return value * known.factor;
    return std::nullopt;
}

std::string groupDigits(std::int64_t value)
{
    std::string digits = std::to_string(value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

} // namespace stageloom
