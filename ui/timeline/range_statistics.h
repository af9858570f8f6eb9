// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_model.h"
#include <array>
#include <map>
#include <vector>

namespace stageloom {

// What happens within a range; spans that reach over its ends count with the part inside.
struct RangeStatistics {
    struct OfKind {
        std::size_t count = 0;
        double total = 0;
        [[nodiscard]] double mean() const { return count ? total / static_cast<double>(count) : 0; }
    };
    std::map<ActionKind, OfKind> kinds;
    std::vector<double> busy; // by device, share of the range spent computing
    double busyShare = 0; // compute time / (devices × length)
    std::array<double, kIdleCauses> idle {}; // share of devices × length, by cause
    [[nodiscard]] std::size_t count() const;
};

RangeStatistics statistics(const TimelineModel& model, TraceSide side, const TimeRange& range);

} // namespace stageloom
