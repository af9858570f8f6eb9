// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_fields.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stageloom {

namespace {

std::string shown(const Json& value)
{
    std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > 60)
        text = text.substr(0, 57) + "...";
    return text;
}

} // namespace

PlanFields::PlanFields(const Json& object, std::string where, std::string pointer)
    : m_object(object)
    , m_where(std::move(where))
    , m_pointer(std::move(pointer))
{
    if (!m_object.is_object())
        keep(Error { ErrorKind::Invalid,
            fmt::format("{}: {} is {}, and an object {{…}} is needed there", m_where,
                m_pointer.empty() ? "the document" : m_pointer, shown(m_object)) });
}

std::string PlanFields::pointerOf(const std::string& key) const
{
    return m_pointer + "/" + key;
}

void PlanFields::keep(const Error& error)
{
    if (m_status)
        m_status = tl::unexpected<Error>(error);
}

void PlanFields::keep(const PlanFields& other)
{
    if (!other.m_status)
        keep(other.m_status.error());
}

void PlanFields::refuse(const std::string& key, const std::string& what)
{
    const bool given = m_object.is_object() && m_object.contains(key);
    keep(Error { ErrorKind::Invalid,
        given ? fmt::format("{}: {} is {}: {}", m_where, pointerOf(key), shown(m_object[key]), what)
              : fmt::format("{}: {} is missing: {}", m_where, pointerOf(key), what) });
}

const Json* PlanFields::child(const char* key, bool required)
{
    m_asked.emplace_back(key);
    if (!m_object.is_object())
        return nullptr;
    const auto found = m_object.find(key);
    if (found != m_object.end() && !found->is_null())
        return &*found;
    if (required)
        refuse(key, "a plan cannot do without it");
    return nullptr;
}

void PlanFields::text(const char* key, std::string& target, bool required)
{
    const Json* value = child(key, required);
    if (value && !value->is_string())
        refuse(key, "write a text in quotes");
    else if (value)
        target = value->get<std::string>();
}

void PlanFields::number(const char* key, double& target)
{
    const Json* value = child(key);
    if (value && (!value->is_number() || !std::isfinite(value->get<double>())))
        refuse(key, "write a number");
    else if (value)
        target = value->get<double>();
}

void PlanFields::integer(const char* key, std::int64_t& target, bool required)
{
    const Json* value = child(key, required);
    if (!value)
        return;
    const bool tooLarge = value->is_number_unsigned()
        && value->get<std::uint64_t>() > std::uint64_t(std::numeric_limits<std::int64_t>::max());
    if (!value->is_number_integer() || tooLarge)
        refuse(key, "write a whole number");
    else
        target = value->get<std::int64_t>();
}

void PlanFields::integer(const char* key, int& target, bool required)
{
    std::int64_t wide = target;
    integer(key, wide, required);
    if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
        refuse(key, "the number is too large");
    else
        target = int(wide);
}

void PlanFields::flag(const char* key, bool& target)
{
    const Json* value = child(key);
    if (value && !value->is_boolean())
        refuse(key, "write true or false");
    else if (value)
        target = value->get<bool>();
}

void PlanFields::noteUnknown(std::vector<std::string>& notes) const
{
    if (!m_object.is_object())
        return;
    for (const auto& item : m_object.items())
        if (std::find(m_asked.begin(), m_asked.end(), item.key()) == m_asked.end())
            notes.push_back(pointerOf(item.key()));
}

} // namespace stageloom
