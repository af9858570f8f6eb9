// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stageloom {

// For people: three significant digits and a unit. "398 ms", "1.24 s", "354 M". Memory and files
// are counted in powers of two, as card vendors mean it ("24.0 GiB"), rates of links in powers of
// ten
// ("25.0 GB/s").
std::string formatSeconds(double seconds);
std::string formatBytes(double bytes);
std::string formatBandwidth(double bytesPerSecond);
std::string formatCount(double count);
std::string formatPercent(double fraction); // 0.139 -> "13.9 %"
std::string formatRate(double perSecond, const std::string& unit); // "82,300 tokens/s"
std::string groupDigits(std::int64_t value); // 82300 -> "82,300"

// The same for estimated times, which know two digits: "≈ 14 s", "≈ 64 k tokens/s".
std::string aboutSeconds(double seconds);
std::string aboutRate(double perSecond, const std::string& unit);

// A size as a person writes it: "22GB" and "22 GB" are decimal, "20GiB" is binary, "1e9" bytes.
// None where it is no such size; negative and other strange numbers are the caller's to refuse.
std::optional<double> parseBytes(std::string_view text);

} // namespace stageloom
