// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace stageloom {

// For people: three significant digits and a unit. "398 ms", "1.24 s", "19.0 GB" (decimal, as
// device vendors count), "354 M".
std::string formatSeconds(double seconds);
std::string formatBytes(double bytes);
std::string formatCount(double count);
std::string formatPercent(double fraction); // 0.139 -> "13.9 %"
std::string formatRate(double perSecond, const std::string& unit); // "82,300 tokens/s"
std::string groupDigits(std::int64_t value); // 82300 -> "82,300"

} // namespace stageloom
