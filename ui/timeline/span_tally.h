// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/action.h"
#include <algorithm>
#include <array>

namespace stageloom {

// Time by (stage, kind). A lane shows few of them; what comes after the twelfth counts as busy
// only.
class SpanTally {
public:
    struct Entry {
        double time;
        std::int16_t stage;
        ActionKind kind;
    };

    void add(std::int16_t stage, ActionKind kind, double time, double busy)
    {
        m_busy += busy;
        for (std::size_t i = 0; i < m_used; ++i)
            if (m_entries[i].stage == stage && m_entries[i].kind == kind) {
                m_entries[i].time += time;
                return;
            }
        if (m_used < m_entries.size())
            m_entries[m_used++] = { time, stage, kind };
    }
    [[nodiscard]] Entry longest() const
    {
        if (m_used == 0)
            return { 0, 0, ActionKind::Forward };
        return *std::max_element(m_entries.begin(), m_entries.begin() + m_used,
            [](const Entry& a, const Entry& b) { return a.time < b.time; });
    }
    [[nodiscard]] double busy() const { return m_busy; }

private:
    std::array<Entry, 12> m_entries; // the first m_used of them
    std::size_t m_used = 0;
    double m_busy = 0;
};

} // namespace stageloom
