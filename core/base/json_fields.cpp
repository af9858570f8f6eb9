// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_fields.h"
#include "core/base/text.h"
#include "core/base/units.h"

#include <cmath>

namespace stageloom {

namespace {

constexpr std::size_t kMostNoted = 20; // unknown keys of one object that are named

std::string wanted(WholeRange range)
{
    const bool any = range.least == WholeRange {}.least;
    if (range.most == WholeRange {}.most)
        return any ? std::string("write a whole number")
                   : fmt::format("write a whole number of at least {}", range.least);
    return fmt::format(
        "write a whole number from {} to {}", groupDigits(range.least), groupDigits(range.most));
}

std::string wanted(NumberRange range)
{
    switch (range) {
    case NumberRange::AboveZero:
        return "write a number above 0";
    case NumberRange::AtLeastZero:
        return "write a number of at least 0";
    case NumberRange::Any:
        break;
    }
    return "write a number";
}

bool isWithin(double number, NumberRange range)
{
    if (!std::isfinite(number))
        return false;
    return range == NumberRange::Any || number > 0
        || (range == NumberRange::AtLeastZero && number == 0);
}

// The whole number that a value is, where an int64 holds it.
std::optional<std::int64_t> wholeOf(const Json& value)
{
    constexpr auto kMost = std::uint64_t(std::numeric_limits<std::int64_t>::max());
    if (value.is_number_unsigned())
        return value.get<std::uint64_t>() > kMost ? std::nullopt
                                                  : std::optional(value.get<std::int64_t>());
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    constexpr double kLimit = 9.2e18; // a little below 2^63
    if (!value.is_number_float())
        return std::nullopt;
    const auto number = value.get<double>();
    return number == std::floor(number) && std::fabs(number) < kLimit
        ? std::optional(std::int64_t(number))
        : std::nullopt;
}

} // namespace

JsonFields::JsonFields(const Json& object, std::string where, std::string pointer)
    : m_object(object)
    , m_where(std::move(where))
    , m_pointer(std::move(pointer))
{
    if (!m_object.is_object())
        keep(Error { ErrorKind::Invalid,
            fmt::format("{}: {} is {}, and an object {{…}} is needed there", m_where,
                m_pointer.empty() ? "the document" : m_pointer, shown(m_object)) });
}

std::string JsonFields::pointerOf(std::string_view key) const
{
    return m_pointer + "/" + shortened(key);
}

const Json* JsonFields::find(std::string_view key) const
{
    if (!m_object.is_object())
        return nullptr;
    const auto found = m_object.find(std::string(key));
    return found == m_object.end() || found->is_null() ? nullptr : &*found;
}

bool JsonFields::has(std::string_view key) const
{
    return find(key) != nullptr;
}

bool JsonFields::mentions(std::string_view key) const
{
    return m_object.is_object() && m_object.contains(std::string(key));
}

std::string_view JsonFields::spelling(std::initializer_list<std::string_view> keys) const
{
    for (const std::string_view key : keys)
        if (has(key))
            return key;
    return *keys.begin();
}

void JsonFields::keep(const Error& error)
{
    if (m_status)
        m_status = tl::unexpected<Error>(error);
}

void JsonFields::keep(const JsonFields& other)
{
    if (!other.m_status)
        keep(other.m_status.error());
}

void JsonFields::refuse(std::string_view key, const std::string& what)
{
    const Json* value = find(key);
    keep(Error { ErrorKind::Invalid,
        value ? fmt::format("{}: {} is {}: {}", m_where, pointerOf(key), shown(*value), what)
              : fmt::format("{}: {} is missing: {}", m_where, pointerOf(key), what) });
}

const Json* JsonFields::child(std::string_view key, Need need)
{
    m_asked.emplace(key);
    const Json* found = find(key);
    if (!found && need == Need::Required)
        refuse(key, "nothing here can do without it");
    return found;
}

const Json& JsonFields::list(std::string_view key)
{
    static const Json kEmpty = Json::array();
    const Json* value = child(key);
    if (value && !value->is_array())
        refuse(key, "write a list in brackets");
    return value && value->is_array() ? *value : kEmpty;
}

std::optional<JsonFields> JsonFields::object(std::string_view key)
{
    const Json* value = child(key);
    return value ? std::optional(JsonFields(*value, m_where, pointerOf(key))) : std::nullopt;
}

std::vector<std::string> JsonFields::words(std::string_view key)
{
    std::vector<std::string> found;
    for (const Json& word : list(key))
        if (word.is_string())
            found.push_back(word.get<std::string>());
    return found;
}

void JsonFields::text(std::string_view key, std::string& target, Need need)
{
    const Json* value = child(key, need);
    if (value && !value->is_string())
        refuse(key, "write a text in quotes");
    else if (value)
        target = value->get<std::string>();
}

void JsonFields::flag(std::string_view key, bool& target)
{
    const Json* value = child(key);
    if (value && !value->is_boolean())
        refuse(key, "write true or false");
    else if (value)
        target = value->get<bool>();
}

void JsonFields::number(std::string_view key, double& target, NumberRange range, Need need)
{
    const Json* value = child(key, need);
    if (!value)
        return;
    if (!value->is_number() || !isWithin(value->get<double>(), range))
        refuse(key, wanted(range));
    else
        target = value->get<double>();
}

void JsonFields::number(std::string_view key, std::optional<double>& target, NumberRange range)
{
    double value = 0;
    number(key, value, range);
    if (has(key))
        target = value;
}

void JsonFields::integer(std::string_view key, std::int64_t& target, WholeRange range, Need need)
{
    const Json* value = child(key);
    if (!value) {
        if (need == Need::Required)
            refuse(key, wanted(range));
        return;
    }
    const std::optional<std::int64_t> whole = wholeOf(*value);
    if (!whole || *whole < range.least || *whole > range.most)
        refuse(key, wanted(range));
    else
        target = *whole;
}

void JsonFields::integer(std::string_view key, int& target, WholeRange range, Need need)
{
    constexpr std::int64_t kLeast = std::numeric_limits<int>::min(),
                           kMost = std::numeric_limits<int>::max();
    std::int64_t wide = target;
    integer(key, wide, range, need);
    if (wide < kLeast || wide > kMost)
        refuse(key, "the number is too large");
    else
        target = int(wide);
}

void JsonFields::integer(std::string_view key, std::uint64_t& target)
{
    const Json* value = child(key);
    if (!value)
        return;
    if (value->is_number_unsigned())
        target = value->get<std::uint64_t>();
    else if (const auto whole = wholeOf(*value); whole && *whole >= 0)
        target = std::uint64_t(*whole);
    else
        refuse(key, wanted(WholeRange { 0 }));
}

void JsonFields::integer(
    std::string_view key, std::optional<std::int64_t>& target, WholeRange range)
{
    std::int64_t value = 0;
    integer(key, value, range);
    if (has(key))
        target = value;
}

void JsonFields::integer(std::string_view key, std::optional<int>& target, WholeRange range)
{
    int value = 0;
    integer(key, value, range);
    if (has(key))
        target = value;
}

void JsonFields::noteUnknown(std::vector<std::string>& notes) const
{
    if (!m_object.is_object())
        return;
    std::size_t unknown = 0;
    for (const auto& item : m_object.items())
        if (!m_asked.contains(item.key()) && ++unknown <= kMostNoted)
            notes.push_back(pointerOf(item.key()));
    if (unknown > kMostNoted)
        notes.push_back(fmt::format(
            "{} and {} more", pointerOf("…"), groupDigits(std::int64_t(unknown - kMostNoted))));
}

} // namespace stageloom
