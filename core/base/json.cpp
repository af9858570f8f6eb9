// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"
#include "core/base/file_kind.h"
#include "core/base/text.h"

#include <algorithm>

namespace stageloom {

namespace {

// nlohmann's byte offset as line and column, which is what an editor can jump to.
std::string position(const std::string& text, std::size_t byte)
{
    const std::size_t end = std::min(byte == 0 ? 0 : byte - 1, text.size());
    const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(end), '\n');
    const std::size_t newline = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
    const std::size_t column = newline == std::string::npos ? end + 1 : end - newline;
    return fmt::format("line {}, column {}", line, column);
}

// The library's sentence after its own prefix ("[json.exception…] parse error at …: ").
std::string reasonOf(const std::string& what)
{
    const std::size_t dash = what.find(": "), bracket = what.find("] ");
    if (dash != std::string::npos)
        return what.substr(dash + 2);
    return bracket == std::string::npos ? what : what.substr(bracket + 2);
}

constexpr int kMostNested = 500; // real documents have ten or so

// Where a document is nested too deep to be walked through safely, or npos.
std::size_t tooDeepAt(const std::string& text)
{
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kMostNested)
                return i;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return std::string::npos;
}

} // namespace

Result<Json> parseJson(const std::string& text, const std::string& where)
{
    if (trim(text).empty())
        return fail(ErrorKind::Invalid, "{} is empty; a JSON document was expected", where);
    if (const std::string strange = strangeContent(text); !strange.empty())
        return fail(ErrorKind::Invalid, "{} {}", where, strange);
    if (const std::size_t deep = tooDeepAt(text); deep != std::string::npos)
        return fail(ErrorKind::Invalid, "{}: nested more than {} deep at {}; no document here is",
            where, kMostNested, position(text, deep + 1));
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        return fail(ErrorKind::Invalid, "{}: not valid JSON at {}: {}", where,
            position(text, error.byte), reasonOf(error.what()));
    } catch (const Json::exception& error) { // a number beyond a double, for one
        return fail(ErrorKind::Invalid, "{}: not usable JSON: {}", where, reasonOf(error.what()));
    }
}

Result<Json> readJsonFile(const std::filesystem::path& path, std::uintmax_t maxBytes)
{
    const Result<std::string> text = readTextFile(path, maxBytes);
    if (!text)
        return failure(text);
    return parseJson(*text, path.string());
}

std::string dumpJson(const Json& value)
{
    return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace stageloom
