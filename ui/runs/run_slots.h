// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/ids.h"
#include <cstdint>
#include <vector>

namespace stageloom {

// Which colour of the runs' palette a shown run has. A run that is no longer shown keeps its slot
// until all colours have been given and another needs one; then the one unseen for longest goes.
class RunSlots {
public:
    explicit RunSlots(int colours)
        : m_colours(static_cast<std::size_t>(colours))
    {
    }
    // The slots of the runs shown now, in their order. From `colours` on, a slot is an earlier
    // colour with another dash pattern: only where more runs are shown than there are colours.
    std::vector<int> show(const std::vector<RunId>& runs);

private:
    struct Slot {
        RunId owner;
        std::uint64_t seen = 0; // the turn of show() that had it last
    };
    [[nodiscard]] std::size_t slotFor(RunId run) const;
    std::size_t m_colours;
    std::vector<Slot> m_slots;
    std::uint64_t m_turn = 0;
};

} // namespace stageloom
