// SPDX-License-Identifier: Apache-2.0
#include "core/sim/trace_forms.h"

#include "core/base/units.h"
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stageloom {

namespace {

constexpr std::size_t kMargin = 11; // "device  0  "

char fillOf(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Forward:
        return '-';
    case ActionKind::BackwardWeight:
        return '~';
    case ActionKind::Recompute:
        return 'r';
    case ActionKind::Update:
        return 'U';
    default:
        return '=';
    }
}

bool isDrawn(const Span& span)
{
    return span.end > span.start && (isCompute(span.kind) || span.kind == ActionKind::Update);
}

// "F12" and its like: letter and microbatch, counted from 1 over the whole run.
std::string nameOf(const Span& span)
{
    return carriesMicrobatch(span.kind)
        ? fmt::format("{}{}", kindName(span.kind), span.microbatch + 1)
        : std::string();
}

// Which columns show what: time t is column t × scale, and a block is a picture of `columns` of
// them.
struct Layout {
    double scale = 1;
    int columns = 100, total = 0, blocks = 1, tick = 20; // a tick: columns between times above
};

// A forward that is not unusually short has room for its name.
Layout layoutOf(const Trace& trace, int columns)
{
    std::vector<double> forwards;
    int last = 0;
    for (const Span& span : trace.spans)
        if (span.kind == ActionKind::Forward && span.end > span.start) {
            forwards.push_back(span.end - span.start);
            last = std::max(last, span.microbatch + 1);
        }
    const double makespan = trace.makespan();
    Layout layout { columns / makespan, columns };
    if (!forwards.empty()) {
        const auto middle = forwards.begin() + std::ptrdiff_t(forwards.size() / 4);
        std::nth_element(forwards.begin(), middle, forwards.end());
        const int cell = int(std::to_string(last).size()) + 1;
        // Whole columns a unit where the times are the caller's: every slot is as wide.
        layout.scale
            = trace.timeUnit.empty() ? cell / *middle : std::max(layout.scale, cell / *middle);
        layout.columns = std::max(cell, columns / cell * cell);
        layout.tick = std::max(cell, layout.tick / cell * cell);
    }
    layout.total = int(std::ceil(std::min(makespan * layout.scale - 1e-6, 1e9)));
    layout.blocks = (layout.total + layout.columns - 1) / layout.columns;
    return layout;
}

std::string ruler(const Trace& trace, const Layout& layout, int from, int columns)
{
    std::string line;
    for (int at = 0; at + 12 < columns; at += layout.tick) {
        const double time = (from + at) / layout.scale;
        line.resize(std::size_t(at), ' ');
        line += "|" + (trace.timeUnit.empty() ? fmt::format("{:.4g}", time) : formatSeconds(time));
    }
    return std::string(kMargin, ' ') + line + "\n";
}

// One device's row of a block; `next` moves on to the first span that reaches beyond it.
std::string rowOf(
    const Trace& trace, int device, const Layout& layout, int from, int columns, std::size_t& next)
{
    const auto columnOf = [&](double time) { return int(time * layout.scale + 0.5) - from; };
    std::string row(std::size_t(columns), '.');
    const auto& spans = trace.spans;
    while (next < spans.size() && spans[next].device == device && columnOf(spans[next].end) <= 0)
        ++next;
    for (std::size_t i = next; i < spans.size() && spans[i].device == device; ++i) {
        const Span& span = spans[i];
        const int begin = columnOf(span.start), end = std::min(columns, columnOf(span.end));
        if (begin >= columns)
            break;
        if (!isDrawn(span))
            continue;
        const int shown = std::max(begin, 0);
        for (int at = shown; at < end; ++at)
            row[std::size_t(at)] = fillOf(span.kind);
        // Whole or not at all, as half a number would be another one: a name that has no room
        // before the end of its block stands at the beginning of the next.
        const std::string name = nameOf(span);
        const int size = int(name.size());
        if (end - shown >= size && -begin < size)
            row.replace(std::size_t(shown), name.size(), name);
    }
    return row;
}

} // namespace

std::string asciiTimeline(const Trace& trace, int columns, int mostBlocks)
{
    if (trace.makespan() <= 0 || columns < 20)
        return "(nothing took any time)\n";
    const Layout layout = layoutOf(trace, columns);
    std::vector<std::size_t> next; // a device's first span that is not yet behind
    for (int device = 0; device < trace.devices; ++device)
        next.push_back(std::size_t(std::lower_bound(trace.spans.begin(), trace.spans.end(), device,
                                       [](const Span& span, int d) { return span.device < d; })
            - trace.spans.begin()));
    std::string text;
    for (int block = 0; block < layout.blocks; ++block) {
        // The beginning, and the end with its draining.
        if (layout.blocks > mostBlocks && block >= mostBlocks - 1 && block < layout.blocks - 1) {
            text += fmt::format(
                "{:>{}}… {} like these left out …\n", "", kMargin, layout.blocks - mostBlocks);
            block = layout.blocks - 1;
        }
        const int from = block * layout.columns;
        const int wide = std::min(layout.columns, layout.total - from);
        text += ruler(trace, layout, from, wide);
        for (int device = 0; device < trace.devices; ++device)
            text += fmt::format("device {:>2}  {}\n", trace.deviceOf(device),
                rowOf(trace, device, layout, from, wide, next[std::size_t(device)]));
    }
    return text
        + fmt::format(
            "{:>{}}F forward, B backward of that microbatch   U update   . idle\n", "", kMargin);
}

} // namespace stageloom
