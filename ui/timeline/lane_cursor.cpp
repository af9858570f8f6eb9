// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/lane_cursor.h"

#include <algorithm>

namespace stageloom {

namespace {

const SpanIndex& indexOf(const TimelineModel& model, const LaneRow& row)
{
    return row.kind == RowKind::Transfer ? model.transfers(row.side, row.device)
                                         : model.compute(row.side, row.device);
}

bool holdsSpans(const LaneRow& row)
{
    return row.kind == RowKind::Compute || row.kind == RowKind::Transfer;
}

std::optional<SpanRef> at(const TimelineModel& model, const LaneRow& row, std::size_t position)
{
    const SpanIndex& index = indexOf(model, row);
    return position < index.size() ? std::optional(SpanRef { row.side, index.reference(position) })
                                   : std::nullopt;
}

std::size_t positionOf(const TimelineModel& model, const LaneRow& row, SpanRef ref)
{
    const SpanIndex& index = indexOf(model, row);
    std::size_t i = index.firstStartingAt(model.trace(row.side).spans, model.span(ref).start);
    while (i < index.size() && index.reference(i) != ref.index)
        ++i;
    return i;
}

} // namespace

std::optional<SpanRef> movedCursor(const TimelineModel& model, const LaneLayout& layout,
    std::optional<SpanRef> from, int along, int down)
{
    std::vector<const LaneRow*> rows;
    for (const LaneRow& row : layout.rows)
        if (holdsSpans(row) && !indexOf(model, row).empty())
            rows.push_back(&row);
    if (rows.empty())
        return std::nullopt;
    const auto atTime = [&](const LaneRow& row, double time) {
        const SpanIndex& index = indexOf(model, row);
        const std::size_t i = index.firstEndingAfter(model.trace(row.side).spans, time);
        return at(model, row, std::min(i, index.size() - 1));
    };
    const LaneRow* row = from ? layout.rowOf(model, *from) : nullptr;
    const auto place = std::ranges::find(rows, row);
    if (place == rows.end())
        return atTime(*rows.front(), layout.scale.range.begin);
    if (down != 0) {
        const long next
            = std::clamp(place - rows.begin() + down, 0L, static_cast<long>(rows.size()) - 1);
        const Span& s = model.span(*from);
        return rows[static_cast<std::size_t>(next)] == row
            ? from
            : atTime(*rows[static_cast<std::size_t>(next)], (s.start + s.end) / 2);
    }
    const auto position = static_cast<long>(positionOf(model, *row, *from));
    const auto last = static_cast<long>(indexOf(model, *row).size()) - 1;
    return at(model, *row, static_cast<std::size_t>(std::clamp(position + along, 0L, last)));
}

} // namespace stageloom
