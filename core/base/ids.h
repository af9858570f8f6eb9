// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace stageloom {

// A row id that cannot be mistaken for one of another table. 0 is "none".
template <typename Tag> struct Id {
    std::int64_t value = 0;
    [[nodiscard]] bool valid() const { return value > 0; }
    auto operator<=>(const Id&) const = default;
};

using RunId = Id<struct RunTag>;

} // namespace stageloom
