// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"
#include "core/base/file_kind.h"
#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

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

// Builds a document of parser events. The library's own builder looks through all earlier keys of
// an object for each new one.
class Builder : public nlohmann::json_sax<Json> {
public:
    bool null() override { return put(Json()); }
    bool boolean(bool value) override { return put(Json(value)); }
    bool number_integer(std::int64_t value) override { return put(Json(value)); }
    bool number_unsigned(std::uint64_t value) override { return put(Json(value)); }
    bool number_float(double value, const std::string&) override { return put(Json(value)); }
    bool string(std::string& value) override { return put(Json(std::move(value))); }
    bool binary(Json::binary_t&) override { return false; } // no text has any
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool key(std::string& name) override
    {
        m_open.back().key = std::move(name);
        return true;
    }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t at, const std::string&, const Json::exception& exception) override
    {
        byte = at;
        outOfRange = dynamic_cast<const Json::parse_error*>(&exception) == nullptr;
        problem = exception.what();
        return false;
    }
    Json document;
    std::string problem; // empty: none
    std::size_t byte = 0;
    bool outOfRange = false; // a number beyond a double

private:
    struct Open {
        Json value;
        std::string key; // of the member that comes next
        std::unordered_map<std::string, std::size_t> places; // of an object's keys
    };
    bool open(Json value)
    {
        m_open.push_back({ std::move(value), {}, {} });
        return true;
    }
    bool close()
    {
        Json value = std::move(m_open.back().value);
        m_open.pop_back();
        return put(std::move(value));
    }
    bool put(Json value)
    {
        if (m_open.empty()) {
            document = std::move(value);
            return true;
        }
        Open& parent = m_open.back();
        if (parent.value.is_array()) {
            parent.value.push_back(std::move(value));
            return true;
        }
        auto& object = parent.value.get_ref<Json::object_t&>();
        const auto [place, isNew] = parent.places.try_emplace(parent.key, object.size());
        if (isNew)
            static_cast<Json::object_t::Container&>(object).emplace_back(
                parent.key, std::move(value));
        else
            object.begin()[std::ptrdiff_t(place->second)].second = std::move(value);
        return true;
    }
    std::vector<Open> m_open;
};

constexpr std::size_t kMostShown = 60; // characters of a value in a message
constexpr std::size_t kMostMembers = 20; // of a list or object that is shown whole

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
    Builder builder;
    if (Json::sax_parse(text, &builder))
        return std::move(builder.document);
    if (builder.outOfRange)
        return fail(
            ErrorKind::Invalid, "{}: not usable JSON: {}", where, reasonOf(builder.problem));
    return fail(ErrorKind::Invalid, "{}: not valid JSON at {}: {}", where,
        position(text, builder.byte), reasonOf(builder.problem));
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

std::string jsonLine(const Json& value)
{
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string shown(const Json& value)
{
    if (value.is_array() && value.size() > kMostMembers)
        return fmt::format("a list of {} values", value.size());
    if (value.is_object() && value.size() > kMostMembers)
        return fmt::format("an object of {} keys", value.size());
    return shortened(jsonLine(value), kMostShown);
}

} // namespace stageloom
