// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/lane_layout.h"

#include "ui/timeline/span_tally.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace stageloom {

namespace {

constexpr double kHeadHeight = 24, kVersionHeight = 16, kMemoryHeight = 44, kMostMemory = 84;
constexpr double kFoot = 4; // under the last row
constexpr double kRest = 8; // between the parts of a plan's rows
constexpr double kNarrowest = 1.5; // pixels; narrower spans are drawn as summaries
constexpr double kBlurred = 0.5; // pixels; what fits into them is not told apart

// What one device's lanes take of the height.
struct Lanes {
    double plan = 0, run = 0, gap = 2;
};

// Lanes share the room, gap included; below their least height they scroll.
Lanes lanesIn(double room, int lanes, bool both, bool over)
{
    Lanes h;
    const double least = both ? 44 : over ? 14 : 18, most = both ? 128 : 64;
    const double pitch = std::floor(room / std::max(1, lanes));
    h.gap = both || pitch >= 44 ? 8 : pitch >= 32 ? 4 : 2;
    const double each = std::clamp(pitch - h.gap - (both ? 2 : 0), least, most);
    h.plan = both ? std::floor(each * 0.4) : each;
    h.run = both ? each - h.plan : each;
    return h;
}

// One transfer lane a device, a hairline each, all of them together one lane to the eye.
double linkPitch(int devices)
{
    return devices > 16 ? 1 : std::max(1.5, 12.0 / std::max(1, devices));
}

// Rows that stand together: of one trace, or of a plan and its run.
struct Block {
    std::vector<TraceSide> sides;
    int devices = 0;
};

std::vector<Block> blocksOf(const TimelineModel& model, TimelineMode mode)
{
    const auto devices = [&](TraceSide side) { return model.trace(side).devices; };
    if (mode == TimelineMode::Over && model.has(TraceSide::Pinned))
        return { { { TraceSide::Pinned }, devices(TraceSide::Pinned) },
            { { TraceSide::Plan }, devices(TraceSide::Plan) } };
    if (mode == TimelineMode::Both && model.has(TraceSide::Plan) && model.has(TraceSide::Run))
        return { { { TraceSide::Plan, TraceSide::Run }, model.devices() } };
    return { { { shownSide(model, mode) }, model.devices() } };
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
    const bool run = model.has(TraceSide::Run);
    const bool plan = mode == TimelineMode::Plan || mode == TimelineMode::Over
        || (mode == TimelineMode::Both && !run)
        || (mode == TimelineMode::Difference && !run && model.has(TraceSide::Pinned));
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

QRectF LaneLayout::links(TraceSide side) const
{
    QRectF all;
    for (const LaneRow& row : rows)
        if (row.kind == RowKind::Transfer && row.side == side)
            all |= QRectF(scale.left, row.top, scale.width, row.height);
    return all;
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
    const std::vector<Block> blocks = blocksOf(model, state.mode());
    const bool both = layout.both = blocks.front().sides.size() == 2;
    const bool over = layout.over = blocks.size() == 2;
    const bool memory = options.memory && !over; // two of them are said at the cursor
    double fixed = kFoot + (memory ? kMemoryHeight + kRest : 0);
    int lanes = 0;
    for (const Block& block : blocks) {
        lanes += block.devices;
        fixed += (over ? kHeadHeight + kRest : kRest) + kVersionHeight;
        for (const TraceSide side : block.sides)
            if (model.side(side).hasTransfers())
                fixed += std::ceil(linkPitch(block.devices) * block.devices) + 2;
    }
    const Lanes heights = lanesIn(layout.bottom - LaneLayout::kRuler - fixed, lanes, both, over);

    double y = LaneLayout::kRuler - options.scroll;
    const auto add = [&](RowKind kind, TraceSide side, int device, double height) {
        layout.rows.push_back({ kind, side, device, y, height });
        y += height;
    };
    for (const Block& block : blocks) {
        if (block.devices == 0)
            continue;
        if (over)
            add(RowKind::Head, block.sides.front(), -1, kHeadHeight);
        for (int device = 0; device < block.devices; ++device) {
            for (const TraceSide side : block.sides) {
                add(RowKind::Compute, side, device,
                    side == TraceSide::Run ? heights.run : heights.plan);
                y += side == block.sides.back() ? heights.gap : 2;
            }
        }
        for (const TraceSide side : block.sides)
            if (model.side(side).hasTransfers()) {
                const double top = y;
                for (int device = 0; device < block.devices; ++device)
                    add(RowKind::Transfer, side, device, linkPitch(block.devices));
                y = top + std::ceil(y - top) + 2;
            }
        add(RowKind::Version, block.sides.back(), -1, kVersionHeight);
        y += kRest;
    }
    if (!layout.rows.empty() && memory)
        add(RowKind::Memory, blocks.back().sides.back(), -1,
            std::clamp(layout.bottom - kFoot - y - options.scroll, kMemoryHeight, kMostMemory));
    layout.height = y + options.scroll;
    return layout;
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
