// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <algorithm>

namespace stageloom {

namespace {

// Length of the UTF-8 character at the start of `text`, 0 where there is none.
std::size_t characterAt(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return 1;
    const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < size)
        return 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
    // Overlong forms, surrogates, beyond U+10FFFF.
    if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f)
        || (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f))
        return 0;
    return size;
}

// C0 but for line ends and tabs, DEL, and C1 in UTF-8: what a terminal obeys.
bool isControl(std::string_view character)
{
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 2)
        return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
    return character.size() == 1
        && ((first < 0x20 && first != '\n' && first != '\t') || first == 0x7f);
}

} // namespace

std::string printable(std::string_view text)
{
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const std::size_t valid = characterAt(text);
        const std::string_view character = text.substr(0, std::max<std::size_t>(valid, 1));
        if (valid > 0 && !isControl(character))
            shown += character;
        else
            for (const char c : character)
                shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        text.remove_prefix(character.size());
    }
    return shown;
}

bool isUtf8(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t size = characterAt(text);
        if (size == 0)
            return false;
        text.remove_prefix(size);
    }
    return true;
}

std::string shortened(std::string_view text, std::size_t most)
{
    // Four bytes show as up to 16: the rest is not looked at.
    std::string shown = printable(text.substr(0, 4 * most));
    std::replace(shown.begin(), shown.end(), '\n', ' ');
    std::size_t characters = 0, end = 0, keep = 0;
    while (end < shown.size()) {
        end += std::max<std::size_t>(characterAt(std::string_view(shown).substr(end)), 1);
        if (++characters + 3 == most)
            keep = end;
        if (characters > most)
            return shown.substr(0, keep) + "...";
    }
    return shown;
}

std::string detail::sentence(std::string text)
{
    return printable(text);
}

std::uint64_t fnv1a(std::string_view text)
{
    std::uint64_t hash = 14695981039346656037ull;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    return hash;
}

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t at = text.find(separator); at != std::string_view::npos;
         at = text.find(separator, begin)) {
        parts.push_back(text.substr(begin, at - begin));
        begin = at + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

std::string_view trim(std::string_view text)
{
    constexpr std::string_view kBlank = " \t\r\n\v\f";
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates)
{
    std::string best;
    // Farther words are no help, nor is one that shares no letter with a short word.
    std::size_t bestDistance = std::min<std::size_t>(4, word.size());
    for (const std::string& candidate : candidates) {
        std::vector<std::size_t> row(candidate.size() + 1);
        for (std::size_t j = 0; j < row.size(); ++j)
            row[j] = j;
        for (std::size_t i = 1; i <= word.size(); ++i) {
            std::size_t diagonal = row[0]++;
            for (std::size_t j = 1; j <= candidate.size(); ++j) {
                const std::size_t substituted
                    = diagonal + (word[i - 1] == candidate[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = std::min({ row[j] + 1, row[j - 1] + 1, substituted });
            }
        }
        if (row.back() < bestDistance) {
            bestDistance = row.back();
            best = candidate;
        }
    }
    return best;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator)
{
    return fmt::format("{}", fmt::join(words, separator));
}

} // namespace stageloom
