// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/decimation.h"
#include "ui/timeline/timeline_model.h"
#include <array>
#include <optional>
#include <vector>

namespace stageloom {

// How one span stands to its partner in another trace.
struct SpanDifference {
    std::uint32_t base = 0; // position in the other trace's spans
    double late = 0; // end - its end; < 0: early
    double longer = 0; // duration - its duration
    bool exact = true; // the very batch: `late` counts
};

// How the spans of one trace of a model stand to those of another (a run to its plan, a plan to a
// pinned one), for drawing: partners are looked up when asked for; per lane the shortest and the
// longest of any stretch are at hand. Takes a given number of spans a call, so that a large pair
// costs many short turns and not one long one. Refers to the model of each call; drop it with
// clear() when a trace is set anew.
class TimelineDifference {
public:
    TimelineDifference() = default;
    TimelineDifference(TraceSide shown, TraceSide base)
        : m_shown(shown)
        , m_base(base)
    {
    }
    [[nodiscard]] TraceSide shown() const { return m_shown; }
    [[nodiscard]] TraceSide base() const { return m_base; }
    void clear() { *this = TimelineDifference(m_shown, m_base); }
    // Takes in at most `most` spans; true when all are in.
    bool extend(const TimelineModel& model, std::size_t most);

    [[nodiscard]] std::optional<SpanDifference> of(const TimelineModel& model, SpanRef shown) const;
    // Took far longer than its partner: over a fifth of it and over six times the usual deviation.
    [[nodiscard]] bool outlier(const TimelineModel& model, SpanRef shown) const;
    // Of `longer` over positions of a compute lane; empty where none has a partner.
    [[nodiscard]] MinMax longer(int device, std::size_t from, std::size_t to) const;
    [[nodiscard]] std::size_t matched() const { return m_matched; }
    [[nodiscard]] std::size_t seen() const { return m_seen; }
    // |longer| that half, and all but a fiftieth, of the spans stay within; to a tenth of it.
    [[nodiscard]] double usual() const { return m_usual; }
    [[nodiscard]] double limit() const { return m_limit; }

private:
    static constexpr int kBins = 512, kPerOctave = 8; // |longer| by powers of two from 2^-40
    TraceSide m_shown = TraceSide::Run, m_base = TraceSide::Plan;
    std::vector<MinMaxPyramid> m_lanes; // by device
    std::array<std::uint32_t, kBins> m_histogram {};
    std::size_t m_matched = 0, m_seen = 0;
    double m_usual = 0, m_limit = 0;
    bool take(const TimelineModel& model, std::size_t most);
    [[nodiscard]] double quantile(double share) const;
    static int binOf(double deviation);
};

} // namespace stageloom
