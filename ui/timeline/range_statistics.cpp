// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/range_statistics.h"

#include <algorithm>

namespace stageloom {

RangeStatistics statistics(const TimelineModel& model, TraceSide side, const TimeRange& range)
{
    RangeStatistics result;
    const auto& spans = model.trace(side).spans;
    double busy = 0;
    const auto count = [&](const SpanIndex& index) {
        const std::size_t to = index.firstStartingAt(spans, range.end);
        for (std::size_t i = index.firstEndingAfter(spans, range.begin); i < to; ++i) {
            const Span& s = spans[index.reference(i)];
            const double inside = std::min(s.end, range.end) - std::max(s.start, range.begin);
            if (inside < 0 || (inside == 0 && s.end > s.start))
                continue;
            auto& kind = result.kinds[s.kind];
            ++kind.count;
            kind.total += inside;
            if (isCompute(s.kind))
                busy += inside;
        }
    };
    const int devices = model.trace(side).devices;
    for (int device = 0; device < devices; ++device) {
        count(model.compute(side, device));
        count(model.transfers(side, device));
    }
    if (devices > 0 && !range.empty())
        result.busyShare = busy / (devices * range.length());
    return result;
}

} // namespace stageloom
