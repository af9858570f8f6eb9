// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace stageloom {

// What a whole number must be, both ends included.
struct WholeRange {
    std::int64_t least = std::numeric_limits<std::int64_t>::min();
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
};
enum class NumberRange { Any, AtLeastZero, AboveZero };
enum class Need { Optional, Required };

// Reads the members of one JSON object of a document that a person may have written. The first
// wrong one is kept as the error, with its file, JSON pointer and value; members nobody asked for
// can be noted. Absent members and null leave their target as it is, unless they are required.
class JsonFields {
public:
    // `where` (the file) starts every message; `pointer` is the object's own.
    JsonFields(const Json& object, std::string where, std::string pointer = {});

    void text(std::string_view key, std::string& target, Need need = Need::Optional);
    void flag(std::string_view key, bool& target);
    void number(std::string_view key, double& target, NumberRange range = NumberRange::Any,
        Need need = Need::Optional);
    void number(
        std::string_view key, std::optional<double>& target, NumberRange range = NumberRange::Any);
    // A number with nothing behind the point counts as whole: 4.0 and 1e3.
    void integer(std::string_view key, std::int64_t& target, WholeRange range = {},
        Need need = Need::Optional);
    void integer(
        std::string_view key, int& target, WholeRange range = {}, Need need = Need::Optional);
    void integer(std::string_view key, std::uint64_t& target);
    void integer(std::string_view key, std::optional<std::int64_t>& target, WholeRange range = {});
    void integer(std::string_view key, std::optional<int>& target, WholeRange range = {});
    // The strings of a list; others are passed over.
    [[nodiscard]] std::vector<std::string> words(std::string_view key);
    // The member, or none where it is absent or null.
    [[nodiscard]] const Json* child(std::string_view key, Need need = Need::Optional);
    // A list; empty where it is absent.
    [[nodiscard]] const Json& list(std::string_view key);
    // The fields of a member that is an object; read them, then keep() them.
    [[nodiscard]] std::optional<JsonFields> object(std::string_view key);

    // Of several spellings of one member the first that is there and not null, else the first.
    [[nodiscard]] std::string_view spelling(std::initializer_list<std::string_view> keys) const;
    [[nodiscard]] bool has(std::string_view key) const; // present and not null
    [[nodiscard]] bool mentions(std::string_view key) const; // present, even as null

    void refuse(std::string_view key, const std::string& what);
    void keep(const Error& error); // where there is none yet
    void keep(const JsonFields& other);
    // Pointers of what nobody asked for: a few, and how many more.
    void noteUnknown(std::vector<std::string>& notes) const;
    [[nodiscard]] const Status& status() const { return m_status; }
    [[nodiscard]] const std::string& where() const { return m_where; }
    [[nodiscard]] std::string pointerOf(std::string_view key) const;

private:
    [[nodiscard]] const Json* find(std::string_view key) const;

    const Json& m_object;
    std::string m_where, m_pointer;
    std::unordered_set<std::string> m_asked;
    Status m_status;
};

} // namespace stageloom
