// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/scale.h"
#include <cstdint>
#include <deque>
#include <optional>

namespace stageloom {

// The stretches of time that were in sight before the present one, so that a person can go back.
// The steps of one gesture (a wheel turned, a key held, a drag) count as one: going back leads to
// where the gesture began. No clock of its own: times are the caller's, in milliseconds.
class ViewHistory {
public:
    static constexpr std::size_t kMost = 64; // entries; the oldest goes first
    static constexpr std::int64_t kPause = 500; // ms of rest that end a gesture

    // `range` goes out of sight. `step`: by one of many small moves, else by a jump.
    void leave(const TimeRange& range, std::int64_t now, bool step);
    // From begin() to end() everything is one gesture, however long it rests.
    void begin();
    void end();
    // Takes the newest entry out; nothing where there is none.
    std::optional<TimeRange> back();
    [[nodiscard]] bool empty() const { return m_ranges.empty(); }
    [[nodiscard]] std::size_t size() const { return m_ranges.size(); }

private:
    std::deque<TimeRange> m_ranges;
    std::int64_t m_last = 0; // when the gesture that goes on took its last step
    bool m_stepping = false; // the newest entry is where that gesture began
    bool m_held = false; // between begin() and end()
};

} // namespace stageloom
