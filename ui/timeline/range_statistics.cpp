// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/range_statistics.h"

#include <algorithm>

namespace stageloom {

std::size_t RangeStatistics::count() const
{
    std::size_t all = 0;
    for (const auto& [kind, of] : kinds)
        all += of.count;
    return all;
}

RangeStatistics statistics(const TimelineModel& model, TraceSide side, const TimeRange& range)
{
    RangeStatistics result;
    const auto note = [&](ActionKind kind, std::size_t count, double total) {
        if (count == 0)
            return;
        result.kinds[kind].count += count;
        result.kinds[kind].total += total;
    };
    const int devices = model.trace(side).devices;
    const double all = devices * range.length();
    if (all <= 0)
        return result;
    for (int device = 0; device < devices; ++device) {
        const LaneSums sums = model.side(side).sums(device, range);
        for (std::size_t k = 0; k < kActionKinds; ++k)
            note(static_cast<ActionKind>(k), sums.count[k], sums.time[k]);
        for (std::size_t c = 0; c < kIdleCauses; ++c)
            result.idle[c] += sums.idle[c] / all;
        result.busy.push_back(sums.busy() / range.length());
        result.busyShare += sums.busy() / all;
        const LaneSums moved = model.side(side).transferSums(device, range);
        for (std::size_t k = 0; k < kActionKinds; ++k)
            note(static_cast<ActionKind>(k), moved.count[k], moved.time[k]);
    }
    return result;
}

} // namespace stageloom
