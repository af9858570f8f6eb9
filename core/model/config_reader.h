// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include <optional>
#include <vector>

namespace stageloom {

// Reads checked values out of a config.json. Every refusal names the file, the key and the value.
// A key may have several spellings; the first that is present and not null counts.
class ConfigReader {
public:
    using Keys = std::vector<const char*>;

    ConfigReader(const Json& config, std::string where);

    [[nodiscard]] const std::string& where() const { return m_where; }
    [[nodiscard]] bool has(const char* key) const; // present and not null
    [[nodiscard]] bool mentions(const char* key) const { return m_config.contains(key); }
    // A whole number in 1 … most. Absent is a refusal.
    Result<std::int64_t> count(const Keys& keys, std::int64_t most) const;
    // The same where absence is allowed.
    Result<std::optional<std::int64_t>> optionalCount(const Keys& keys, std::int64_t most) const;
    Result<bool> flag(const char* key, bool absent) const;
    Result<double> positive(const char* key, double absent) const;
    Result<std::string> text(const char* key, const std::string& absent) const;
    [[nodiscard]] std::vector<std::string> words(
        const char* key) const; // strings of a list; else none

private:
    const Json* find(const Keys& keys, std::string& used) const;

    const Json& m_config;
    std::string m_where;
};

// A value as a message shows it, cut to a readable length.
std::string shown(const Json& value);

} // namespace stageloom
