// SPDX-License-Identifier: Apache-2.0
#include "core/model/config_reader.h"
#include "core/base/units.h"

#include <cmath>

namespace stageloom {

std::string shown(const Json& value)
{
    std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

ConfigReader::ConfigReader(const Json& config, std::string where)
    : m_config(config)
    , m_where(std::move(where))
{
}

bool ConfigReader::has(const char* key) const
{
    const auto at = m_config.find(key);
    return at != m_config.end() && !at->is_null();
}

const Json* ConfigReader::find(const Keys& keys, std::string& used) const
{
    for (const char* key : keys)
        if (has(key)) {
            used = key;
            return &m_config[key];
        }
    return nullptr;
}

Result<std::int64_t> ConfigReader::count(const Keys& keys, std::int64_t most) const
{
    const auto value = optionalCount(keys, most);
    if (!value)
        return failure(value);
    if (!*value)
        return fail(ErrorKind::Invalid,
            "{}: the key '{}' is missing; add it (a whole number of at least 1)", m_where, keys[0]);
    return **value;
}

Result<std::optional<std::int64_t>> ConfigReader::optionalCount(
    const Keys& keys, std::int64_t most) const
{
    std::string key;
    const Json* value = find(keys, key);
    if (!value)
        return std::optional<std::int64_t> {};
    if (!value->is_number())
        return fail(ErrorKind::Invalid, "{}: '{}' is {}, but a whole number is needed", m_where,
            key, shown(*value));
    const double number = value->get<double>();
    if (!std::isfinite(number) || number != std::floor(number))
        return fail(ErrorKind::Invalid, "{}: '{}' is {}, but it must be a whole number", m_where,
            key, shown(*value));
    if (number < 1)
        return fail(ErrorKind::Invalid, "{}: '{}' is {}, but it must be at least 1", m_where, key,
            shown(*value));
    if (number > double(most))
        return fail(ErrorKind::Invalid,
            "{}: '{}' is {}, but more than {} is not believed; check the file", m_where, key,
            shown(*value), groupDigits(most));
    return std::optional<std::int64_t>(std::int64_t(number));
}

Result<bool> ConfigReader::flag(const char* key, bool absent) const
{
    if (!has(key))
        return absent;
    const Json& value = m_config[key];
    if (!value.is_boolean())
        return fail(ErrorKind::Invalid, "{}: '{}' is {}, but it must be true or false", m_where,
            key, shown(value));
    return value.get<bool>();
}

Result<double> ConfigReader::positive(const char* key, double absent) const
{
    if (!has(key))
        return absent;
    const Json& value = m_config[key];
    if (!value.is_number() || !(value.get<double>() > 0) || !std::isfinite(value.get<double>()))
        return fail(ErrorKind::Invalid, "{}: '{}' is {}, but it must be a number above 0", m_where,
            key, shown(value));
    return value.get<double>();
}

Result<std::string> ConfigReader::text(const char* key, const std::string& absent) const
{
    if (!has(key))
        return absent;
    const Json& value = m_config[key];
    if (!value.is_string())
        return fail(ErrorKind::Invalid, "{}: '{}' is {}, but it must be a word in quotes", m_where,
            key, shown(value));
    return value.get<std::string>();
}

std::vector<std::string> ConfigReader::words(const char* key) const
{
    std::vector<std::string> found;
    if (has(key) && m_config[key].is_array())
        for (const Json& word : m_config[key])
            if (word.is_string())
                found.push_back(word.get<std::string>());
    return found;
}

} // namespace stageloom
