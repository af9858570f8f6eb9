// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/lane_layout.h"

#include "ui/timeline/span_tally.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace stageloom {

namespace {

constexpr double kVersionHeight = 16, kIdleHeight = 14, kMemoryHeight = 56, kTransferHeight = 8;
constexpr double kNarrowest = 1.5; // pixels; narrower spans are drawn as summaries
constexpr double kBlurred = 0.5; // pixels; what fits into them is not told apart

// What a device needs besides its compute rows, and how compute rows share the rest.
struct Heights {
    double plan = 0, run = 0, gap = 12;
};

Heights computeHeights(const LayoutOptions& options, int devices, bool both, double fixed)
{
    Heights h;
    const double room = options.size.height() - LaneLayout::kRuler - fixed;
    const double each
        = std::clamp(room / std::max(1, devices) - h.gap, both ? 44.0 : 18.0, both ? 128.0 : 64.0);
    if (each < 30)
        h.gap = 4;
    h.plan = both ? std::floor(each * 0.4) : std::floor(each);
    h.run = both ? std::floor(each - h.plan) : h.plan;
    return h;
}

std::vector<TraceSide> sidesOf(const TimelineModel& model, TimelineMode mode)
{
    if (mode == TimelineMode::Both && model.has(TraceSide::Plan) && model.has(TraceSide::Run))
        return { TraceSide::Plan, TraceSide::Run };
    return { shownSide(model, mode) };
}

bool showsLegend(const LayoutOptions& options)
{
    return options.size.height() >= 200;
}

const SpanIndex& indexOf(const TimelineModel& model, const LaneRow& row)
{
    return row.kind == RowKind::Transfer ? model.transfers(row.side, row.device)
                                         : model.compute(row.side, row.device);
}

} // namespace

TraceSide shownSide(const TimelineModel& model, TimelineMode mode)
{
    const bool plan
        = mode == TimelineMode::Plan || (mode == TimelineMode::Both && !model.has(TraceSide::Run));
    return plan ? TraceSide::Plan : TraceSide::Run;
}

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
    layout.scale.width
        = std::max(1.0, options.size.width() - LaneLayout::kLabels - LaneLayout::kRight);
    layout.bottom = options.size.height() - (showsLegend(options) ? LaneLayout::kLegend : 0);
    const std::vector<TraceSide> sides = sidesOf(model, state.mode());
    const bool both = layout.both = sides.size() == 2;
    const int devices = model.devices();
    const bool transfers = std::ranges::any_of(
        sides, [&](TraceSide side) { return model.side(side).hasTransfers(); });
    const double fixed = kVersionHeight + kIdleHeight + 24
        + 2.0 * devices * static_cast<double>(sides.size())
        + (options.memory ? kMemoryHeight + 12 : 0)
        + (transfers ? devices * (kTransferHeight + 2) : 0);
    LayoutOptions lanes = options;
    lanes.size.setHeight(layout.bottom);
    const Heights heights = computeHeights(lanes, devices, both, fixed);

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
            if (model.side(side).hasTransfers(device))
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
        // The curve takes what the lanes leave.
        if (options.memory)
            add(RowKind::Memory, side, -1,
                std::clamp(
                    layout.bottom - 8 - y - options.scroll, kMemoryHeight, 3.0 * kMemoryHeight));
    }
    layout.height = y + options.scroll;
    return layout;
}

std::vector<IdlePart> idleParts(
    const std::array<double, kIdleCauses>& shares, const TimeScale& scale)
{
    std::vector<IdlePart> parts;
    double all = 0, x = scale.left;
    for (const double share : shares)
        all += share;
    for (std::size_t i = 0; i < shares.size() && all > 0; ++i)
        if (const double width = shares[i] / all * scale.width; width >= 0.5) {
            parts.push_back({ static_cast<IdleCause>(i), shares[i], x, width });
            x += width;
        }
    return parts;
}

namespace {

// Gathers what is too narrow to draw into one box a pixel column.
class ColumnFolder {
public:
    ColumnFolder(std::vector<VisibleBox>& boxes, const SpanIndex& index, const TimeScale& scale,
        const LaneRow& row)
        : m_boxes(boxes)
        , m_index(index)
        , m_scale(scale)
        , m_row(row)
    {
    }
    void add(double start, std::size_t from, std::size_t to, const SpanSummary& sum, double share)
    {
        const double column = std::max(std::floor(m_scale.toPixel(start)), m_scale.left);
        if (m_any && column != m_column)
            flush();
        if (!m_any) {
            m_any = true;
            m_column = column;
            m_from = from;
            m_tally = {};
        }
        m_to = to;
        m_tally.add(sum.stage, sum.kind, share, sum.busy);
    }
    void flush()
    {
        if (!std::exchange(m_any, false))
            return;
        const auto longest = m_tally.longest();
        VisibleBox box { { m_column, m_row.top, 1, m_row.height }, std::nullopt,
            { m_tally.busy(), longest.stage, longest.kind },
            std::min(1.0, m_tally.busy() * m_scale.pixelsPerUnit()), m_from, m_to };
        if (m_to == m_from + 1)
            box.span = SpanRef { m_row.side, m_index.reference(m_from) };
        m_boxes.push_back(box);
    }

private:
    std::vector<VisibleBox>& m_boxes;
    const SpanIndex& m_index;
    const TimeScale& m_scale;
    const LaneRow& m_row;
    SpanTally m_tally {};
    double m_column = 0;
    std::size_t m_from = 0, m_to = 0;
    bool m_any = false;
};

} // namespace

std::vector<VisibleBox> visibleBoxes(
    const TimelineModel& model, const LaneLayout& layout, const LaneRow& row)
{
    const SpanIndex& index = indexOf(model, row);
    const TimeScale& scale = layout.scale;
    std::vector<VisibleBox> boxes;
    boxes.reserve(std::min(index.size(), static_cast<std::size_t>(scale.width)) + 16);
    const double right = scale.left + scale.width;
    ColumnFolder folder(boxes, index, scale, row);
    index.visit(
        model.trace(row.side).spans, scale.range, kBlurred / scale.pixelsPerUnit(),
        [&](const Span& s, std::size_t at) {
            const SpanSummary summary { s.end - s.start, s.stage, s.kind };
            const double x = scale.toPixel(s.start), end = scale.toPixel(s.end);
            if (end - x < kNarrowest)
                return folder.add(s.start, at, at + 1, summary, summary.busy);
            folder.flush();
            const double from = std::max(x, scale.left);
            boxes.push_back({ { from, row.top, std::min(end, right) - from, row.height },
                SpanRef { row.side, index.reference(at) }, summary, 1, at, at + 1 });
        },
        [&](const SpanIndex::Stretch& s) {
            folder.add(s.range.begin, s.from, s.to, s.summary, s.share);
        });
    folder.flush();
    return boxes;
}

std::optional<SpanRef> spanAt(
    const TimelineModel& model, const LaneLayout& layout, const QPointF& position)
{
    if (position.y() < LaneLayout::kRuler || position.y() >= layout.bottom)
        return std::nullopt;
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
