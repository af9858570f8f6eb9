// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include <initializer_list>
#include <string>
#include <vector>

namespace stageloom {

// Reads the members of one JSON object of a plan. The first wrong one is kept as the error, with
// its file, JSON pointer and value; members nobody asked for are collected as notes.
class PlanFields {
public:
    PlanFields(const Json& object, std::string where, std::string pointer);

    // Leave `target` as it is where the key is absent, unless it is required.
    void text(const char* key, std::string& target, bool required = false);
    void number(const char* key, double& target);
    void integer(const char* key, std::int64_t& target, bool required = false);
    void integer(const char* key, int& target, bool required = false);
    void flag(const char* key, bool& target);
    [[nodiscard]] const Json* child(const char* key, bool required = false);

    void refuse(const std::string& key, const std::string& what);
    void keep(const Error& error);
    void keep(const PlanFields& other);
    void noteUnknown(std::vector<std::string>& notes) const;
    [[nodiscard]] const Status& status() const { return m_status; }
    [[nodiscard]] const std::string& where() const { return m_where; }
    [[nodiscard]] std::string pointerOf(const std::string& key) const;

private:
    const Json& m_object;
    std::string m_where, m_pointer;
    std::vector<std::string> m_asked;
    Status m_status;
};

} // namespace stageloom
