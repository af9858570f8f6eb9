// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include "core/base/units.h"
#include "ui/timeline/range_statistics.h"
#include "ui/timeline/search.h"
#include "ui/timeline/timeline_view_private.h"
#include <QPainter>
#include <algorithm>

namespace stageloom {

namespace {

// Above this many spans the causes of gaps and the alignment are not worked out while drawing.
// A difference is asked for, so it may take its second.
constexpr std::size_t kMostExplained = 150'000, kMostCompared = 2'000'000;

} // namespace

TraceSide TimelineView::Private::shownSide() const
{
    return state.mode() == TimelineMode::Plan ? TraceSide::Plan : TraceSide::Run;
}

void TimelineView::Private::findMemory()
{
    const auto& memory = model.trace(shownSide()).memory;
    shownMemory = std::max(0, memoryDevice);
    memoryPeak = 0;
    for (std::size_t device = 0; device < memory.size(); ++device)
        for (const auto& sample : memory[device])
            if (sample.bytes > memoryPeak
                && (memoryDevice < 0 || static_cast<int>(device) == memoryDevice)) {
                memoryPeak = sample.bytes;
                shownMemory = static_cast<int>(device);
            }
}

void TimelineView::Private::deriveContent()
{
    if (contentKnown)
        return;
    contentKnown = true;
    gaps.clear();
    shares = {};
    difference.reset();
    const TraceSide side = shownSide();
    if (model.trace(side).spans.size() <= kMostExplained) {
        gaps = idleGaps(model, side);
        shares = idleShares(model, gaps);
    }
    if (givenShares) {
        shares = {};
        for (const IdleShare& given : *givenShares)
            shares[static_cast<std::size_t>(given.cause)] += given.share;
    }
    if (side == TraceSide::Run && model.has(TraceSide::Plan)
        && model.trace(side).spans.size()
            <= (state.mode() == TimelineMode::Difference ? kMostCompared : kMostExplained))
        difference = compare(model.trace(TraceSide::Plan), model.trace(TraceSide::Run));
    findMemory();
    findFlow();
}

void TimelineView::Private::findFlow()
{
    flow.clear();
    if (const auto microbatch = state.microbatch())
        flow = model.microbatch(shownSide(), *microbatch);
}

void TimelineView::Private::deriveGeometry(const QSizeF& size)
{
    if (geometryKnown)
        return;
    geometryKnown = true;
    const auto& memory = model.trace(shownSide()).memory;
    const bool hasMemory
        = std::ranges::any_of(memory, [](const auto& samples) { return !samples.empty(); });
    layout = layOut(model, state, { size, scroll, hasMemory });
    const double most = std::max(0.0, layout.height - size.height());
    if (scroll > most) {
        scroll = most;
        layout = layOut(model, state, { size, scroll, hasMemory });
    }
    boxes.assign(layout.rows.size(), {});
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        const LaneRow& row = layout.rows[i];
        if (row.device >= 0 && row.top < size.height() && row.top + row.height > 0)
            boxes[i] = visibleBoxes(model, layout, row);
    }
}

TimelineView::TimelineView(QWidget* parent)
    : QWidget(parent)
    , d(std::make_unique<Private>())
{
    setLayoutDirection(Qt::LeftToRight); // time runs to the right in every language
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("W and S zoom, A and D pan, F shows all, N goes to the next search hit."));
    const auto geometry = [this] {
        d->geometryKnown = false;
        update();
    };
    connect(&d->state, &TimelineState::visibleChanged, this, geometry);
    connect(&d->state, &TimelineState::modeChanged, this, [this] { contentChanged(); });
    connect(&d->state, &TimelineState::selectionChanged, this, [this] { update(); });
    connect(&d->state, &TimelineState::searchChanged, this, [this] { update(); });
    connect(&d->state, &TimelineState::microbatchChanged, this, [this] {
        d->findFlow();
        update();
    });
    connect(&d->state, &TimelineState::hoverChanged, this, [this] {
        d->deriveContent();
        d->card.clear();
        if (const auto span = d->state.hover())
            d->card
                = cardLines(d->model, *span, d->names, d->difference ? &*d->difference : nullptr);
        update();
    });
    connect(&themeNotifier(), &ThemeNotifier::changed, this, [this] { update(); });
}

TimelineView::~TimelineView() = default;

void TimelineView::contentChanged()
{
    d->contentKnown = d->geometryKnown = false;
    d->state.setExtent(d->model.extent());
    updateGeometry();
    update();
}

void TimelineView::setPlan(Trace trace)
{
    d->state.setHover(std::nullopt);
    d->state.setSearch({}, {});
    d->model.setTrace(TraceSide::Plan, std::move(trace));
    contentChanged();
}

void TimelineView::setRun(Trace trace)
{
    d->state.setHover(std::nullopt);
    d->state.setSearch({}, {});
    d->model.setTrace(TraceSide::Run, std::move(trace));
    contentChanged();
}

void TimelineView::appendSpans(const std::vector<Span>& spans)
{
    if (spans.empty())
        return;
    d->model.append(spans);
    contentChanged();
}

void TimelineView::setMode(TimelineMode mode)
{
    d->state.setMode(mode);
}

void TimelineView::setFollow(bool on)
{
    d->state.setFollowing(on);
}

void TimelineView::setDeviceNames(const QStringList& names)
{
    d->names = names;
    update();
}

void TimelineView::setCapacities(const std::vector<double>& bytes)
{
    d->capacities = bytes;
    update();
}

void TimelineView::setMemoryDevice(int device)
{
    d->memoryDevice = device;
    contentChanged();
}

void TimelineView::setIdleShares(const std::vector<IdleShare>& shares)
{
    d->givenShares = shares;
    contentChanged();
}

std::size_t TimelineView::setSearch(const QString& text)
{
    const auto query = parseQuery(text);
    d->state.setSearch(
        text, query ? findSpans(d->model, d->shownSide(), *query) : std::vector<SpanRef> {});
    if (const auto hit = d->state.currentHit())
        showTime(d->model.span(*hit).start);
    return d->state.hits().size();
}

void TimelineView::searchNext()
{
    d->state.nextHit(1);
    if (const auto hit = d->state.currentHit())
        showTime(d->model.span(*hit).start);
}

void TimelineView::searchPrevious()
{
    d->state.nextHit(-1);
    if (const auto hit = d->state.currentHit())
        showTime(d->model.span(*hit).start);
}

void TimelineView::fit()
{
    d->state.fit();
}

void TimelineView::showTime(double time)
{
    if (!d->state.visible().contains(time))
        d->state.center(time);
}

TimelineState& TimelineView::state()
{
    return d->state;
}

const TimelineModel& TimelineView::model() const
{
    return d->model;
}

std::optional<SpanRef> TimelineView::spanAt(const QPointF& position) const
{
    d->deriveGeometry(size());
    return stageloom::spanAt(d->model, d->layout, position);
}

QStringList TimelineView::selectionSummary() const
{
    QStringList lines;
    const auto range = d->state.selection();
    if (!range)
        return lines;
    const bool seconds = d->model.seconds();
    const RangeStatistics found = statistics(d->model, d->shownSide(), *range);
    lines << tr("%1 selected · %2 busy")
                 .arg(timeText(range->length(), seconds),
                     QString::fromStdString(formatPercent(found.busyShare)));
    for (const auto& [kind, of] : found.kinds)
        lines << tr("%1: %2 · total %3 · mean %4")
                     .arg(kindText(kind))
                     .arg(of.count)
                     .arg(timeText(of.total, seconds), timeText(of.mean(), seconds));
    return lines;
}

void TimelineView::paintOn(QPainter& painter)
{
    d->deriveContent();
    d->deriveGeometry(size());
    const auto at = static_cast<std::size_t>(d->shownMemory);
    TimelineScene scene { d->model, d->state, d->layout, theme(), d->names, d->boxes, d->gaps,
        d->shares, d->difference ? &*d->difference : nullptr };
    scene.memoryDevice = d->shownMemory;
    scene.memoryPeak = d->memoryPeak;
    scene.capacity = at < d->capacities.size() ? d->capacities[at] : 0;
    scene.flow = d->flow;
    scene.card = d->card;
    scene.cardAt = d->last;
    scene.size = size();
    scene.focus = hasFocus();
    if (scene.card.empty() && d->state.selection()) {
        for (const QString& line : selectionSummary())
            scene.card.push_back(
                { line, scene.card.empty() ? CardLine::Role::Title : CardLine::Role::Plain });
        scene.cardAt
            = QPointF(d->layout.scale.toPixel(d->state.selection()->end), LaneLayout::kRuler);
    }
    paintTimeline(painter, scene);
}

void TimelineView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintOn(painter);
}

void TimelineView::resizeEvent(QResizeEvent*)
{
    d->geometryKnown = false;
}

QSize TimelineView::sizeHint() const
{
    return { 900, std::clamp(160 + 58 * std::max(1, d->model.devices()), 260, 640) };
}

QSize TimelineView::minimumSizeHint() const
{
    return { 320, 160 };
}

} // namespace stageloom
