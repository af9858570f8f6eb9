// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_slots.h"

#include <algorithm>
#include <unordered_map>

namespace stageloom {

// Its own; else the first free colour, else the one unseen for longest, else the first slot with a
// dash pattern that nobody shows now.
std::size_t RunSlots::slotFor(RunId run) const
{
    const auto own = std::ranges::find(m_slots, run, &Slot::owner);
    if (own != m_slots.end())
        return static_cast<std::size_t>(own - m_slots.begin());
    if (m_slots.size() < m_colours)
        return m_slots.size();
    const auto dashed = m_slots.begin() + static_cast<std::ptrdiff_t>(m_colours);
    const auto oldest = std::ranges::min_element(m_slots.begin(), dashed, {}, &Slot::seen);
    const auto free = oldest->seen < m_turn
        ? oldest
        : std::ranges::find_if(
            dashed, m_slots.end(), [this](const Slot& slot) { return slot.seen < m_turn; });
    return static_cast<std::size_t>(free - m_slots.begin());
}

std::vector<int> RunSlots::show(const std::vector<RunId>& runs)
{
    ++m_turn;
    std::unordered_map<std::int64_t, std::size_t> owned;
    for (std::size_t i = 0; i < m_slots.size(); ++i)
        owned[m_slots[i].owner.value] = i;
    for (const RunId run : runs) // those that have one keep it, whoever comes before them
        if (const auto slot = owned.find(run.value); slot != owned.end())
            m_slots[slot->second].seen = m_turn;
    std::vector<int> result;
    for (const RunId run : runs) {
        const std::size_t slot = slotFor(run);
        if (slot == m_slots.size())
            m_slots.emplace_back();
        m_slots[slot] = { run, m_turn };
        result.push_back(static_cast<int>(slot));
    }
    return result;
}

} // namespace stageloom
