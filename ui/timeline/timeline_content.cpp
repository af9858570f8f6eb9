// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline works out from its traces before it draws.
#include "ui/timeline/search.h"
#include "ui/timeline/timeline_view_private.h"

#include <QThreadPool>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <utility>

namespace stageloom {

namespace {

// Up to here the GUI thread indexes a trace itself, in some ten milliseconds.
constexpr std::size_t kMostAtOnce = 200'000;
// A plan of at most so many spans goes along with a run beyond its own batches.
constexpr std::size_t kMostMoved = 50'000;
// Spans aligned with the plan in one turn of the event loop.
constexpr std::size_t kMostCompared = 100'000;

} // namespace

TraceSide TimelineView::Private::shownSide() const
{
    return stageloom::shownSide(model, state.mode());
}

void TimelineView::Private::setTrace(TraceSide side, Trace trace, const TraceFrame& frame)
{
    Job& job = jobs[static_cast<std::size_t>(side)];
    state.setHover(std::nullopt);
    if (side == TraceSide::Run && std::exchange(planMoved, false)) // it stood under this run
        model.setTrace(TraceSide::Plan, *givenPlan, model.side(TraceSide::Plan).frame());
    if (side == TraceSide::Plan) {
        planMoved = false;
        givenPlan = trace.spans.size() <= kMostMoved ? std::optional(trace) : std::nullopt;
    }
    if (trace.spans.size() <= kMostAtOnce) {
        const bool overtaken = job.running();
        job.drop();
        install(side, std::make_shared<TimelineSide>(std::move(trace), frame));
        if (overtaken)
            emit owner->loadingChanged(owner->isLoading());
        return;
    }
    install(side, std::make_shared<TimelineSide>()); // what was there is no longer true
    const auto given = std::make_shared<Trace>(std::move(trace));
    job.start([given, frame] { return std::make_shared<TimelineSide>(std::move(*given), frame); },
        [this, side](std::shared_ptr<TimelineSide> built) {
            install(side, std::move(built));
            emit owner->loadingChanged(owner->isLoading());
        });
    emit owner->loadingChanged(true);
}

void TimelineView::Private::install(TraceSide side, std::shared_ptr<TimelineSide> built)
{
    // Giving back half a gigabyte takes longer than a frame.
    if (auto old = model.setSide(side, std::move(built)); old->trace().spans.size() > kMostAtOnce)
        QThreadPool::globalInstance()->start([gone = std::move(old)]() mutable { gone.reset(); });
    difference.clear();
    bringPlan();
    search(state.search()); // what was sought is sought in the new trace
    owner->contentChanged();
}

QStringList TimelineView::Private::lanes() const
{
    QStringList shown;
    for (int device = 0; device < model.devices(); ++device)
        shown << deviceText(names, device);
    return shown;
}

void TimelineView::Private::search(const QString& text)
{
    if (text.isEmpty() && state.search().isEmpty())
        return;
    const auto query = parseQuery(text, lanes());
    SpanHits hits = query ? findSpans(model, shownSide(), *query) : SpanHits {};
    state.setSearch(text, std::move(hits.spans), hits.cut);
}

int TimelineView::Private::batchInSight() const
{
    const TimelineSide& run = model.side(TraceSide::Run);
    const TimeRange sight = state.visible();
    const SpanIndex& lane = run.compute(0);
    const std::size_t at = lane.firstEndingAfter(run.trace().spans, (sight.begin + sight.end) / 2);
    return lane.empty() ? -1
                        : run.trace().spans[lane.reference(std::min(at, lane.size() - 1))].batch;
}

// A move costs the plan's spans, and it is made only where the eye has left the plan's batches.
void TimelineView::Private::bringPlan()
{
    if (!planInSight || !givenPlan || !model.has(TraceSide::Run))
        return;
    const TimelineSide& now = model.side(TraceSide::Plan);
    const int batch = batchInSight();
    if (batch < 0 || (batch >= now.firstBatch() && batch <= now.lastBatch()))
        return;
    const TimelineSide given(*givenPlan);
    std::optional<Trace> aligned = alignedWith(given, model.side(TraceSide::Run), batch);
    if (!aligned && !planMoved)
        return;
    planMoved = aligned.has_value();
    state.setHover(std::nullopt);
    model.setTrace(TraceSide::Plan, aligned ? std::move(*aligned) : *givenPlan, now.frame());
    contentKnown = geometryKnown = false;
    selected.reset();
    owner->update();
}

void TimelineView::Private::findMemory()
{
    const auto& memory = model.side(shownSide()).memory();
    shownMemory = std::max(0, memoryDevice);
    const bool given = memoryDevice >= 0 && static_cast<std::size_t>(memoryDevice) < memory.size();
    if (given || memory.empty())
        return;
    const auto fullest = std::ranges::max_element(memory, {}, &MemoryCurve::peak);
    shownMemory = static_cast<int>(fullest - memory.begin());
}

void TimelineView::Private::deriveContent()
{
    if (!differenceKnown)
        deriveDifference();
    if (contentKnown)
        return;
    contentKnown = true;
    shares = statistics(model, shownSide(), model.side(shownSide()).counted()).idle;
    findMemory();
    findFlow();
}

// A large pair is aligned in turns, between which the window lives on.
void TimelineView::Private::deriveDifference()
{
    if (shownSide() == TraceSide::Plan || !model.has(TraceSide::Plan))
        return;
    differenceKnown = difference.extend(model, kMostCompared);
    if (!differenceKnown)
        QTimer::singleShot(0, owner, [this] { owner->update(); });
}

void TimelineView::Private::deriveSelection()
{
    if (!selected && state.selection())
        selected = statistics(model, shownSide(), *state.selection());
}

void TimelineView::Private::findFlow()
{
    flow.clear();
    if (const auto microbatch = state.microbatch())
        flow = model.microbatch(shownSide(), *microbatch);
}

void TimelineView::Private::deriveCard()
{
    card.clear();
    if (const auto span = state.hover())
        card = cardLines(model, *span, names, model.has(TraceSide::Plan) ? &difference : nullptr);
    else if (rowHover)
        card = rowCard(*rowHover);
}

QPointF TimelineView::Private::cardAt() const
{
    if (const auto span = state.hover(); span && byKeys)
        if (const LaneRow* row = layout.rowOf(model, *span)) {
            const QRectF box
                = layout.rect(*row, { model.span(*span).start, model.span(*span).end });
            return { std::clamp(box.center().x(), layout.scale.left,
                         layout.scale.left + layout.scale.width),
                box.bottom() - 8 };
        }
    return last;
}

void TimelineView::Private::scrollTo(SpanRef span)
{
    deriveGeometry(owner->size());
    const LaneRow* row = layout.rowOf(model, span);
    if (!row)
        return;
    const double above = LaneLayout::kRuler + 4 - row->top;
    const double below = row->top + row->height + 4 - layout.bottom;
    if (above > 0)
        scroll = std::max(0.0, scroll - above);
    else if (below > 0)
        scroll += below;
    geometryKnown = geometryKnown && above <= 0 && below <= 0;
}

void TimelineView::Private::deriveGeometry(const QSizeF& size)
{
    if (geometryKnown)
        return;
    geometryKnown = true;
    const bool memory = hasMemory();
    layout = layOut(model, state, { size, scroll, memory });
    const double most = std::max(0.0, layout.height + 4 - layout.bottom);
    if (scroll > most) {
        scroll = most;
        layout = layOut(model, state, { size, scroll, memory });
    }
    const QSignalBlocker quiet(bar);
    bar->setRange(0, static_cast<int>(std::ceil(most)));
    bar->setPageStep(static_cast<int>(layout.bottom - LaneLayout::kRuler));
    bar->setSingleStep(40);
    bar->setValue(static_cast<int>(scroll));
    bar->setVisible(most > 0);
    boxes.assign(layout.rows.size(), {});
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        const LaneRow& row = layout.rows[i];
        if (row.device >= 0 && row.top < layout.bottom && row.top + row.height > 0)
            boxes[i] = visibleBoxes(model, layout, row);
    }
}

} // namespace stageloom
