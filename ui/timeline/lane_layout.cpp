// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/lane_layout.h"

#include <algorithm>
#include <cmath>

namespace stageloom {

namespace {

constexpr double kVersionHeight = 16, kIdleHeight = 14, kMemoryHeight = 84, kTransferHeight = 8;
constexpr double kNarrowest = 1.5; // pixels; narrower spans are drawn as summaries

// What a device needs besides its compute rows, and how compute rows share the rest.
struct Heights {
    double plan = 0, run = 0, gap = 12;
};

Heights computeHeights(const LayoutOptions& options, int devices, bool both, double fixed)
{
    Heights h;
    const double room = options.size.height() - LaneLayout::kRuler - fixed;
    const double each
        = std::clamp(room / std::max(1, devices) - h.gap, both ? 40.0 : 16.0, both ? 112.0 : 46.0);
    if (each < 30)
        h.gap = 4;
    h.plan = both ? std::floor(each * 0.4) : std::floor(each);
    h.run = both ? std::floor(each - h.plan) : h.plan;
    return h;
}

bool hasTransfers(const TimelineModel& model, TraceSide side)
{
    for (int device = 0; device < model.trace(side).devices; ++device)
        if (!model.transfers(side, device).empty())
            return true;
    return false;
}

const SpanIndex& indexOf(const TimelineModel& model, const LaneRow& row)
{
    return row.kind == RowKind::Transfer ? model.transfers(row.side, row.device)
                                         : model.compute(row.side, row.device);
}

} // namespace

QRectF LaneLayout::rect(const LaneRow& row, const TimeRange& range) const
{
    const double left = scale.toPixel(range.begin);
    return { left, row.top, scale.toPixel(range.end) - left, row.height };
}

const LaneRow* LaneLayout::rowAt(double y) const
{
    for (const LaneRow& row : rows)
        if (y >= row.top && y < row.top + row.height)
            return &row;
    return nullptr;
}

const LaneRow* LaneLayout::rowOf(const TimelineModel& model, SpanRef span) const
{
    const Span& s = model.span(span);
    const bool compute = isCompute(s.kind) || s.kind == ActionKind::Update;
    for (const LaneRow& row : rows)
        if (row.side == span.side && row.device == s.device
            && row.kind == (compute ? RowKind::Compute : RowKind::Transfer))
            return &row;
    return nullptr;
}

bool LaneLayout::shows(TraceSide side) const
{
    return std::ranges::any_of(rows,
        [side](const LaneRow& row) { return row.kind == RowKind::Compute && row.side == side; });
}

LaneLayout layOut(
    const TimelineModel& model, const TimelineState& state, const LayoutOptions& options)
{
    LaneLayout layout;
    layout.scale.range = state.visible();
    layout.scale.left = LaneLayout::kLabels;
    layout.scale.width = std::max(1.0, options.size.width() - LaneLayout::kLabels - 12);
    std::vector<TraceSide> sides;
    if (state.mode() == TimelineMode::Plan || state.mode() == TimelineMode::Both)
        sides.push_back(TraceSide::Plan);
    if (state.mode() != TimelineMode::Plan)
        sides.push_back(TraceSide::Run);
    const bool both = sides.size() == 2;
    const int devices = model.devices();
    const bool transfers
        = std::ranges::any_of(sides, [&](TraceSide side) { return hasTransfers(model, side); });
    const double fixed = kVersionHeight + kIdleHeight + 24
        + (options.memory ? kMemoryHeight + 12 : 0)
        + (transfers ? devices * (kTransferHeight + 2) : 0);
    const Heights heights = computeHeights(options, devices, both, fixed);

    double y = LaneLayout::kRuler - options.scroll;
    const auto add = [&](RowKind kind, TraceSide side, int device, double height) {
        layout.rows.push_back({ kind, side, device, y, height });
        y += height;
    };
    for (int device = 0; device < devices; ++device) {
        for (const TraceSide side : sides) {
            add(RowKind::Compute, side, device,
                side == TraceSide::Plan ? heights.plan : heights.run);
            y += 2;
            if (transfers && !model.transfers(side, device).empty())
                add(RowKind::Transfer, side, device, kTransferHeight);
        }
        y += heights.gap;
    }
    if (devices > 0) {
        const TraceSide side = sides.back();
        add(RowKind::Version, side, -1, kVersionHeight);
        y += 12;
        add(RowKind::Idle, side, -1, kIdleHeight);
        y += 12;
        if (options.memory)
            add(RowKind::Memory, side, -1, kMemoryHeight);
    }
    layout.height = y + options.scroll;
    return layout;
}

std::vector<VisibleBox> visibleBoxes(
    const TimelineModel& model, const LaneLayout& layout, const LaneRow& row)
{
    std::vector<VisibleBox> boxes;
    const SpanIndex& index = indexOf(model, row);
    const auto& spans = model.trace(row.side).spans;
    const TimeScale& scale = layout.scale;
    const double perUnit = scale.pixelsPerUnit();
    const double right = scale.left + scale.width;
    std::size_t at = index.firstEndingAfter(spans, scale.range.begin);
    while (at < index.size()) {
        const Span& s = spans[index.reference(at)];
        const double x = scale.toPixel(s.start);
        if (x >= right)
            break;
        const double end = scale.toPixel(s.end);
        if (end - x >= kNarrowest) {
            const double from = std::max(x, scale.left);
            boxes.push_back({ { from, row.top, std::min(end, right) - from, row.height },
                SpanRef { row.side, index.reference(at) }, { s.end - s.start, s.stage, s.kind },
                1 });
            ++at;
            continue;
        }
        // Everything that starts within this pixel column becomes one box.
        const double column = std::max(std::floor(x), scale.left);
        const std::size_t next
            = std::max(at + 1, index.firstStartingAt(spans, scale.toTime(column + 1), at));
        const SpanSummary summary = index.summary(spans, at, next);
        const double coverage = std::min(1.0, summary.busy * perUnit);
        boxes.push_back({ { column, row.top, 1, row.height }, std::nullopt, summary, coverage });
        if (next == at + 1)
            boxes.back().span = SpanRef { row.side, index.reference(at) };
        at = next;
    }
    return boxes;
}

std::optional<SpanRef> spanAt(
    const TimelineModel& model, const LaneLayout& layout, const QPointF& position)
{
    const LaneRow* row = layout.rowAt(position.y());
    const TimeScale& scale = layout.scale;
    if (!row || (row->kind != RowKind::Compute && row->kind != RowKind::Transfer)
        || position.x() < scale.left || position.x() > scale.left + scale.width
        || scale.range.empty())
        return std::nullopt;
    const SpanIndex& index = indexOf(model, *row);
    const auto& spans = model.trace(row->side).spans;
    const double time = scale.toTime(position.x());
    const double reach = 2 / scale.pixelsPerUnit();
    std::optional<SpanRef> nearest;
    double best = reach;
    for (std::size_t at = index.firstEndingAfter(spans, time - reach), tried = 0;
         at < index.size() && tried < 64; ++at, ++tried) {
        const Span& s = spans[index.reference(at)];
        if (s.start > time + reach)
            break;
        const double distance = std::max({ s.start - time, time - s.end, 0.0 });
        const bool inside = time >= s.start && time < s.end;
        if (inside || distance < best) {
            nearest = SpanRef { row->side, index.reference(at) };
            best = distance;
            if (inside)
                break;
        }
    }
    return nearest;
}

} // namespace stageloom
