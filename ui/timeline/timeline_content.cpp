// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline works out from its traces before it draws.
#include "ui/timeline/timeline_view_private.h"

#include <QThreadPool>
#include <QTimer>
#include <algorithm>

namespace stageloom {

namespace {

// Up to here the GUI thread indexes a trace itself, in some ten milliseconds.
constexpr std::size_t kMostAtOnce = 200'000;
// Spans aligned with the plan in one turn of the event loop.
constexpr std::size_t kMostCompared = 100'000;

} // namespace

TraceSide TimelineView::Private::shownSide() const
{
    return state.mode() == TimelineMode::Plan ? TraceSide::Plan : TraceSide::Run;
}

void TimelineView::Private::setTrace(TraceSide side, Trace trace)
{
    Job& job = jobs[static_cast<std::size_t>(side)];
    state.setHover(std::nullopt);
    state.setSearch({}, {});
    if (side == TraceSide::Run)
        waiting.clear();
    if (trace.spans.size() <= kMostAtOnce) {
        job.drop();
        install(side, std::make_shared<TimelineSide>(std::move(trace)));
        return;
    }
    install(side, std::make_shared<TimelineSide>()); // what was there is no longer true
    const auto given = std::make_shared<Trace>(std::move(trace));
    job.start([given] { return std::make_shared<TimelineSide>(std::move(*given)); },
        [this, side](std::shared_ptr<TimelineSide> built) {
            if (side == TraceSide::Run && !waiting.empty())
                built->append(std::exchange(waiting, {}));
            install(side, std::move(built));
            emit owner->loadingChanged(owner->isLoading());
        });
    emit owner->loadingChanged(true);
}

void TimelineView::Private::install(TraceSide side, std::shared_ptr<TimelineSide> built)
{
    model.setSide(side, std::move(built));
    difference.clear();
    owner->contentChanged();
}

void TimelineView::Private::findMemory()
{
    const auto& memory = model.side(shownSide()).memory();
    shownMemory = std::max(0, memoryDevice);
    if (memoryDevice >= 0 || memory.empty())
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
    shares = {};
    if (givenShares)
        for (const IdleShare& given : *givenShares)
            shares[static_cast<std::size_t>(given.cause)] += given.share;
    else
        shares = statistics(model, shownSide(), model.side(shownSide()).extent()).idle;
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
}

void TimelineView::Private::deriveGeometry(const QSizeF& size)
{
    if (geometryKnown)
        return;
    geometryKnown = true;
    const auto& memory = model.side(shownSide()).memory();
    const bool hasMemory = std::ranges::any_of(memory, [](const auto& m) { return !m.empty(); });
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

} // namespace stageloom
