// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include "core/base/units.h"
#include "ui/timeline/range_statistics.h"
#include "ui/timeline/search.h"
#include "ui/timeline/timeline_view_private.h"
#include <QPainter>
#include <algorithm>

namespace stageloom {

TimelineView::TimelineView(QWidget* parent)
    : QWidget(parent)
    , d(std::make_unique<Private>(this))
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
    connect(&d->state, &TimelineState::selectionChanged, this, [this] {
        d->selected.reset();
        update();
    });
    connect(&d->state, &TimelineState::searchChanged, this, [this] { update(); });
    connect(&d->state, &TimelineState::microbatchChanged, this, [this] {
        d->findFlow();
        update();
    });
    connect(&d->state, &TimelineState::hoverChanged, this, [this] {
        d->deriveCard();
        update();
    });
    connect(&themeNotifier(), &ThemeNotifier::changed, this, [this] { update(); });
}

TimelineView::~TimelineView() = default;

void TimelineView::contentChanged()
{
    d->contentKnown = d->geometryKnown = d->differenceKnown = false;
    d->selected.reset();
    d->state.setExtent(d->model.extent());
    updateGeometry();
    update();
}

void TimelineView::setPlan(Trace trace)
{
    d->setTrace(TraceSide::Plan, std::move(trace));
}

void TimelineView::setRun(Trace trace)
{
    d->setTrace(TraceSide::Run, std::move(trace));
}

void TimelineView::appendSpans(const std::vector<Span>& spans)
{
    if (spans.empty())
        return;
    if (d->jobs[static_cast<std::size_t>(TraceSide::Run)].running()) {
        d->waiting.insert(d->waiting.end(), spans.begin(), spans.end());
        return;
    }
    d->model.append(spans);
    contentChanged();
}

bool TimelineView::isLoading() const
{
    return d->jobs[0].running() || d->jobs[1].running();
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
    d->deriveSelection();
    const RangeStatistics& found = *d->selected;
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
    TimelineScene scene { d->model, d->state, d->layout, theme(), d->names, d->boxes, d->shares,
        d->model.has(TraceSide::Plan) ? &d->difference : nullptr };
    scene.memoryDevice = d->shownMemory;
    if (const auto& memory = d->model.side(d->shownSide()).memory(); at < memory.size())
        scene.memoryPeak = memory[at].peak();
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
