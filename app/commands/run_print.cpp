// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_print.h"
#include "core/base/units.h"

#include <algorithm>

namespace stageloom {

namespace {

// Characters of UTF-8 text: bytes that do not continue another.
std::size_t widthOf(const std::string& text)
{
    return std::size_t(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

} // namespace

std::string textTable(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::size_t> widths;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths.resize(std::max(widths.size(), i + 1));
            widths[i] = std::max(widths[i], widthOf(row[i]));
        }
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += row[i];
            if (i + 1 < row.size())
                text += std::string(widths[i] - widthOf(row[i]) + 2, ' ');
        }
        text += '\n';
    }
    return text;
}

std::string lossText(const std::optional<double>& loss)
{
    return loss ? fmt::format("{:.4f}", *loss) : "–";
}

std::string rateText(const std::optional<double>& tokensPerSecond)
{
    return tokensPerSecond ? formatRate(*tokensPerSecond, "tokens") : "–";
}

std::string shareText(const std::optional<double>& fraction)
{
    return fraction ? formatPercent(*fraction) : "–";
}

} // namespace stageloom
