// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

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
           "operation to operation, Enter follows a microbatch."));
    d->bar = new QScrollBar(Qt::Vertical, this);
    d->bar->setAccessibleName(tr("Devices"));
    d->bar->hide();
    connect(d->bar, &QScrollBar::valueChanged, this, [this](int value) {
        d->scroll = value;
        d->geometryKnown = false;
        if (std::exchange(d->rowHover, std::nullopt))
            d->deriveCard();
        update();
    });
    const auto geometry = [this] {
        d->geometryKnown = false;
        if (std::exchange(d->rowHover, std::nullopt))
            d->deriveCard();
        update();
    };
    connect(&d->state, &TimelineState::visibleChanged, this, geometry);
    connect(&d->state, &TimelineState::visibleChanged, this, [this] { d->bringPlan(); });
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
        if (d->state.hover())
            d->rowHover.reset(); // one card at a time
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
    if (std::exchange(d->rowHover, std::nullopt))
        d->deriveCard();
    d->state.setExtent(d->model.extent());
    if (std::exchange(d->devicesHinted, d->model.devices()) != d->model.devices())
        updateGeometry();
    update();
    emit tracesChanged();
}

void TimelineView::setPlan(Trace trace, const TraceFrame& frame)
{
    d->setTrace(TraceSide::Plan, std::move(trace), frame);
}

void TimelineView::setRun(Trace trace, const TraceFrame& frame)
{
    d->setTrace(TraceSide::Run, std::move(trace), frame);
}

bool TimelineView::isLoading() const
{
    return d->jobs[0].running() || d->jobs[1].running();
}

void TimelineView::setMode(TimelineMode mode)
{
    d->state.setMode(mode);
}

void TimelineView::setPlanInSight(bool on)
{
    d->planInSight = on;
    d->bringPlan();
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
        showTime(d->model.span(*hit).start);
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
    std::optional<TimeRange> all;
    for (const SpanRef ref : d->flow) {
        const Span& s = d->model.span(ref);
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
    return d->model;
}

std::optional<SpanRef> TimelineView::spanAt(const QPointF& position) const
{
    d->deriveGeometry(size());
    return stageloom::spanAt(d->model, d->layout, position);
}

QStringList TimelineView::selectionSummary() const
{
    d->deriveSelection();
    if (!d->selected)
        return {};
    return statisticsLines(*d->selected, *d->state.selection(), d->names, d->model.seconds());
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
    d->deriveGeometry(size());
    const auto at = static_cast<std::size_t>(d->shownMemory);
    TimelineScene scene { d->model, d->state, d->layout, theme(), d->names, d->boxes, d->shares,
        d->model.has(TraceSide::Plan) ? &d->difference : nullptr };
    scene.memoryDevice = d->shownMemory;
    if (const auto& memory = d->model.side(d->shownSide()).memory(); at < memory.size())
        scene.memoryPeak = memory[at].peak();
    scene.capacity = d->capacity();
    if (const LaneRow* row = d->rowHover ? d->layout.rowAt(d->rowHover->y()) : nullptr;
        row && row->kind == RowKind::Memory && !d->paintingPicture)
        scene.memoryHover = d->rowHover->x();
    scene.flow = d->flow;
    scene.size = size();
    scene.loading = isLoading();
    if (!d->differenceKnown)
        scene.compared = static_cast<double>(d->difference.seen())
            / static_cast<double>(
                std::max<std::size_t>(1, d->model.trace(TraceSide::Run).spans.size()));
    if (!d->paintingPicture) {
        scene.focus = hasFocus();
        scene.card = d->card;
        scene.cardAt = d->cardAt();
    }
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
    constexpr int kWidth = 10;
    const auto ruler = static_cast<int>(LaneLayout::kRuler);
    d->bar->setGeometry(
        width() - kWidth, ruler, kWidth, height() - ruler - static_cast<int>(LaneLayout::kLegend));
}

std::vector<std::pair<QString, QString>> TimelineView::shortcuts()
{
    return { { tr("W S · + − · wheel"),
                 tr("zoom about the pointer (with many devices: Ctrl+wheel)") },
        { tr("A D · drag"), tr("move through time") },
        { tr("Home · End"), tr("to the beginning, to the end") },
        { tr("F"), tr("show all of the selection or the microbatch; again: everything") },
        { tr("Ctrl+0 · Shift+Backspace"), tr("show everything") },
        { tr("Backspace · Back button"), tr("back to the previous view") },
        { tr("Shift+drag · drag on the ruler"), tr("select a range, with statistics") },
        { tr("R"), tr("statistics of what is in sight") },
        { tr("T"), tr("the same as a table to sort and to copy") },
        { tr("click · Enter · Space"), tr("follow a microbatch through all stages") },
        { tr("double-click"), tr("zoom to an operation") },
        { tr("arrow keys"), tr("from operation to operation, from lane to lane") },
        { tr("[ ] · Ctrl+Left, Ctrl+Right"),
            tr("to what the operation waited for, to what used it") },
        { tr("Ctrl+F"), tr("find: F12, stage 2, batch 3") },
        { tr("Enter · Shift+Enter · Escape, while finding"),
            tr("next hit, previous hit, close the search") },
        { tr("N · Shift+N"), tr("next and previous hit, in the timeline") },
        { tr("M · Shift+M"), tr("memory of the next, of the previous device") },
        { tr("Page up, page down · Alt+wheel"), tr("scroll the devices") },
        { tr("Escape"), tr("drop card, selection and microbatch") } };
}

QSize TimelineView::sizeHint() const
{
    return { 900, std::clamp(180 + 60 * std::max(1, d->model.devices()), 280, 640) };
}

QSize TimelineView::minimumSizeHint() const
{
    return { 320, 160 };
}

} // namespace stageloom
