// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/utilisation.h"

#include <algorithm>
#include <cmath>

namespace stageloom {

std::vector<double> utilisation(const TimelineSide& side, const TimeRange& range, int columns)
{
    std::vector<double> busy(static_cast<std::size_t>(std::max(0, columns)), 0.0);
    const int devices = side.trace().devices;
    if (busy.empty() || range.empty() || devices == 0)
        return busy;
    const double width = range.length() / columns;
    // `time` of computing, evenly over a stretch.
    const auto spread = [&](double begin, double end, double time) {
        const double from = std::max(begin, range.begin), to = std::min(end, range.end);
        if (!(to > from))
            return;
        const double density = time / (end - begin);
        auto column = static_cast<std::size_t>((from - range.begin) / width);
        for (double at = from; at < to && column < busy.size(); ++column) {
            const double edge = std::min(to, range.begin + static_cast<double>(column + 1) * width);
            busy[column] += (edge - at) * density;
            at = edge;
        }
    };
    for (int device = 0; device < devices; ++device)
        side.compute(device).visit(
            side.trace().spans, range, width / 2,
            [&](const Span& s, std::size_t) {
                if (isCompute(s.kind))
                    spread(s.start, s.end, s.end - s.start);
            },
            [&](const SpanIndex::Stretch& s) {
                spread(s.range.begin, s.range.end, s.summary.busy);
            });
    for (double& share : busy)
        share = std::min(1.0, share / (width * devices));
    return busy;
}

} // namespace stageloom
