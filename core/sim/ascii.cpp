// SPDX-License-Identifier: Apache-2.0
#include "core/sim/metrics.h"

#include "core/base/units.h"

#include <algorithm>

namespace stageloom {

namespace {

// What fills most of a column: the span that covers its middle.
char letterOf(const Span& span, bool first)
{
    const int microbatch = span.microbatch + 1;
    switch (span.kind) {
    case ActionKind::Forward:
        return first ? char('0' + microbatch % 10) : '-';
    case ActionKind::Backward:
    case ActionKind::BackwardInput:
        return first ? char('a' + (microbatch - 1) % 26) : '=';
    case ActionKind::BackwardWeight:
        return first ? 'w' : '~';
    case ActionKind::Recompute:
        return 'r';
    default:
        return 'U';
    }
}

std::string ruler(const Trace& trace, double total, int columns)
{
    std::string line(std::size_t(columns), ' ');
    for (int at = 0; at + 12 < columns; at += 20) {
        const double time = total * at / columns;
        const std::string label
            = "|" + (trace.timeUnit.empty() ? fmt::format("{:.4g}", time) : formatSeconds(time));
        line.replace(std::size_t(at), std::min(label.size(), line.size() - std::size_t(at)), label);
    }
    return line;
}

} // namespace

std::string asciiTimeline(const Trace& trace, int columns)
{
    const double total = trace.makespan();
    if (total <= 0 || columns < 20)
        return "(nothing took any time)\n";
    // Small whole-number timelines are drawn one column a unit, which shows every slot.
    if (trace.timeUnit.empty() && total <= columns)
        columns = int(total + 0.5);
    std::string text = "           " + ruler(trace, total, columns) + "\n";
    std::size_t next = 0;
    for (int device = 0; device < trace.devices; ++device) {
        std::string row(std::size_t(columns), '.');
        for (; next < trace.spans.size() && trace.spans[next].device == device; ++next) {
            const Span& span = trace.spans[next];
            if (span.end <= span.start)
                continue;
            const int from = int(span.start / total * columns + 0.5);
            const int to = std::min(columns, int(span.end / total * columns + 0.5));
            for (int at = from; at < to; ++at)
                row[std::size_t(at)] = letterOf(span, at == from);
        }
        text += fmt::format("device {:>2}  {}\n", device, row);
    }
    return text
        + "           digit: forward of that microbatch (last digit)   letter: backward (a = 1)   "
          ". idle   U update\n";
}

} // namespace stageloom
