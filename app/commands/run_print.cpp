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

std::string cellOf(const std::string& value)
{
    std::string text = oneLine(value);
    if (widthOf(text) <= kWidestCell)
        return text;
    std::size_t end = 0;
    for (std::size_t width = 0; end < text.size(); ++end)
        if ((text[end] & 0xc0) != 0x80 && ++width == kWidestCell)
            break;
    return text.substr(0, end) + "…";
}

} // namespace

std::string oneLine(std::string text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte < 0x20 || byte == 0x7f)
            text[i] = ' ';
        // U+0080 … U+009F, the other control characters, are two bytes of UTF-8.
        if (byte == 0xc2 && i + 1 < text.size() && (text[i + 1] & 0xe0) == 0x80)
            text[i] = text[i + 1] = ' ';
    }
    return text;
}

std::string textTable(const std::vector<std::vector<std::string>>& given)
{
    std::vector<std::vector<std::string>> rows = given;
    for (auto& row : rows)
        std::transform(row.begin(), row.end(), row.begin(), cellOf);
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

} // namespace stageloom
