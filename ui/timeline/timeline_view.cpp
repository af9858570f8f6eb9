// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/timeline/range_dialog.h"
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
        tr("W and S zoom, A and D move, Backspace goes back, arrow keys go from "
           "operation to operation, Enter chooses one and follows its microbatch."));
    d->bar->setAccessibleName(tr("Devices"));
    d->bar->hide();
    connect(d->bar, &QScrollBar::valueChanged, this, [this](int value) {
        d->geometry.setScroll(value);
        dropPointers();
    });
    connect(&d->traces, &TimelineTraces::aboutToChange, this, [this] {
        d->state.setHover(std::nullopt);
        d->keepSelected();
    });
    connect(&d->traces, &TimelineTraces::changed, this, [this] {
        d->derived.difference.clear();
        d->derived.flow.clear();
        d->search(d->state.search()); // what was sought is sought in the new trace
        d->findSelected();
        contentChanged();
    });
    connect(&d->traces, &TimelineTraces::planMoved, this, [this] {
        d->state.setHover(std::nullopt);
        d->forget();
        update();
    });
    connect(&d->traces, &TimelineTraces::loadingChanged, this, &TimelineView::loadingChanged);
    connect(&d->state, &TimelineState::visibleChanged, this, [this] {
        d->geometry.forget();
        dropPointers();
        d->traces.look(d->state.visible());
    });
    connect(&d->state, &TimelineState::modeChanged, this, [this] {
        d->search(d->state.search());
        contentChanged();
    });
    connect(&d->state, &TimelineState::selectionChanged, this, [this] {
        d->derived.selected.reset();
        update();
    });
    connect(&d->state, &TimelineState::searchChanged, this, [this] { update(); });
    for (const auto signal : { &TimelineState::microbatchChanged, &TimelineState::selectedChanged })
        connect(&d->state, signal, this, [this] {
            d->findFlow();
            update();
        });
    connect(&d->state, &TimelineState::hoverChanged, this, [this] {
        if (d->state.hover())
            d->rowHover.reset(); // one card at a time
        d->deriveCard();
        update();
    });
    connect(&themeNotifier(), &ThemeNotifier::changed, this, [this] { update(); });
}

TimelineView::~TimelineView() = default;

// What the mouse was over has moved away under it.
void TimelineView::dropPointers()
{
    if (std::exchange(d->rowHover, std::nullopt))
        d->deriveCard();
    if (!d->mouse.byKeys)
        d->cursor.reset();
    update();
}

void TimelineView::contentChanged()
{
    d->forget();
    dropPointers();
    d->state.setExtent(d->model().extent(d->state.mode() == TimelineMode::Over));
    if (std::exchange(d->devicesHinted, d->model().devices()) != d->model().devices())
        updateGeometry();
    emit tracesChanged();
}

void TimelineView::setPlan(Trace trace, const TraceFrame& frame)
{
    d->traces.set(TraceSide::Plan, std::move(trace), frame);
}

void TimelineView::setRun(Trace trace, const TraceFrame& frame)
{
    d->traces.set(TraceSide::Run, std::move(trace), frame);
}

bool TimelineView::isLoading() const
{
    return d->traces.isLoading();
}

namespace {

PlanHead headOf(const QString& name, const Prediction& plan)
{
    return { name, scheduleTitle(plan.schedule.name), plan.metrics.steadyBubbleFraction };
}

} // namespace

void TimelineView::setCompared(std::shared_ptr<const Prediction> pinned, const QString& name)
{
    d->heads[0] = pinned ? headOf(name, *pinned) : PlanHead {};
    if (d->heads[1].name.isEmpty())
        d->heads[1].name = tr("This plan");
    d->traces.set(TraceSide::Pinned, pinned ? pinned->trace : Trace {});
    if (pinned && d->state.mode() == TimelineMode::Plan)
        setMode(TimelineMode::Over);
    else if (!pinned && (d->state.mode() == TimelineMode::Over || !d->model().has(TraceSide::Run)))
        setMode(TimelineMode::Plan);
}

bool TimelineView::isCompared() const
{
    return d->model().has(TraceSide::Pinned);
}

void TimelineView::setPlanHead(const QString& name, const Prediction& plan)
{
    d->heads[1] = headOf(name, plan);
    update();
}

void TimelineView::setMode(TimelineMode mode)
{
    d->state.setMode(mode);
}

void TimelineView::setPlanInSight(bool on)
{
    d->traces.setPlanInSight(on);
}

void TimelineView::setDeviceNames(const QStringList& names)
{
    if (d->names == names)
        return;
    d->names = names;
    d->search(d->state.search()); // may name a device
    update();
}

const QStringList& TimelineView::deviceNames() const
{
    return d->names;
}

void TimelineView::setCapacities(const std::vector<double>& bytes)
{
    d->capacities = bytes;
    update();
}

std::size_t TimelineView::setSearch(const QString& text)
{
    d->search(text);
    showHit();
    return d->state.hits().size();
}

bool TimelineView::understands(const QString& text) const
{
    return parseQuery(text, d->lanes()).has_value();
}

void TimelineView::searchNext()
{
    d->state.nextHit(1);
    showHit();
}

void TimelineView::searchPrevious()
{
    d->state.nextHit(-1);
    showHit();
}

void TimelineView::showHit()
{
    if (const auto hit = d->state.currentHit()) {
        showTime(d->model().span(*hit).start);
        d->scrollTo(*hit);
    }
}

void TimelineView::fit()
{
    d->state.fit();
}

std::optional<TimeRange> TimelineView::selectedExtent() const
{
    if (d->state.selection())
        return d->state.selection();
    d->deriveContent();
    std::optional<TimeRange> all;
    for (const SpanRef ref : d->derived.flow) {
        const Span& s = d->model().span(ref);
        all = all ? TimeRange { std::min(all->begin, s.start), std::max(all->end, s.end) }
                  : TimeRange { s.start, s.end };
    }
    return all;
}

void TimelineView::fitSelected()
{
    if (const auto part = selectedExtent())
        d->state.fit(*part);
    else
        fit();
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
    return d->model();
}

std::optional<SpanRef> TimelineView::spanAt(const QPointF& position) const
{
    d->deriveGeometry();
    return stageloom::spanAt(d->model(), d->geometry.layout(), position);
}

QStringList TimelineView::selectionSummary() const
{
    d->deriveSelection();
    if (!d->derived.selected)
        return {};
    return statisticsLines(
        *d->derived.selected, *d->state.selection(), d->names, d->model().seconds());
}

void TimelineView::showRangeTable()
{
    if (!d->table)
        d->table = new RangeDialog(this);
    d->table->show();
    d->table->raise();
    d->table->activateWindow();
}

void TimelineView::paintOn(QPainter& painter)
{
    d->deriveContent();
    d->deriveGeometry();
    TimelineScene scene = d->scene();
    if (d->state.selection()) {
        for (const QString& line : selectionSummary())
            scene.range.lines.push_back({ line,
                scene.range.lines.empty() ? CardLine::Role::Title : CardLine::Role::Plain });
        scene.range.at
            = QPointF(scene.layout.scale.toPixel(d->state.selection()->end), LaneLayout::kRuler);
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
    d->geometry.forget();
    constexpr int kWidth = 10;
    const auto ruler = static_cast<int>(LaneLayout::kRuler);
    d->bar->setGeometry(
        width() - kWidth, ruler, kWidth, height() - ruler - static_cast<int>(LaneLayout::kLegend));
}

QSize TimelineView::sizeHint() const
{
    return { 900, std::clamp(180 + 60 * std::max(1, d->model().devices()), 280, 640) };
}

QSize TimelineView::minimumSizeHint() const
{
    return { 320, 120 };
}

} // namespace stageloom
