// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline works out from its traces before it draws.
#include "ui/timeline/flow.h"
#include "ui/timeline/numbering.h"
#include "ui/timeline/search.h"
#include "ui/timeline/span_facts.h"
#include "ui/timeline/timeline_view_private.h"

#include <QCoreApplication>
#include <QSignalBlocker>
#include <QTimer>
#include <algorithm>
#include <utility>

namespace stageloom {

namespace {

// Spans aligned with their partners in one turn of the event loop.
constexpr std::size_t kMostCompared = 100'000;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

// Updates on any device while a span went on: they take cores and memory from it.
QStringList updatesBeside(const TimelineModel& model, SpanRef ref)
{
    constexpr std::size_t kMost = 64; // spans looked at on a device
    const Span& s = model.span(ref);
    const TimelineSide& side = model.side(ref.side);
    const auto& spans = side.trace().spans;
    QStringList texts;
    for (int device = 0; device < side.trace().devices; ++device) {
        const SpanIndex& lane = side.compute(device);
        const std::size_t first = lane.firstEndingAfter(spans, s.start);
        for (std::size_t i = first; i < std::min(lane.size(), first + kMost); ++i) {
            const Span& other = spans[lane.reference(i)];
            if (other.start >= s.end)
                break;
            const QString text
                = Words::tr("update of batch %1 ran beside it").arg(shownNumber(other.batch));
            if (other.kind == ActionKind::Update && other.end > s.start && !texts.contains(text))
                texts << text;
        }
    }
    return texts;
}

} // namespace

TraceSide TimelineView::Private::shownSide() const
{
    return stageloom::shownSide(model(), state.mode());
}

const TimelineDifference* TimelineView::Private::difference() const
{
    return model().has(derived.difference.base()) ? &derived.difference : nullptr;
}

void TimelineView::Private::forget()
{
    derived.known = derived.differenceKnown = false;
    derived.selected.reset();
    geometry.forget();
}

QStringList TimelineView::Private::lanes() const
{
    QStringList shown;
    for (int device = 0; device < model().devices(); ++device)
        shown << deviceText(names, device);
    return shown;
}

void TimelineView::Private::search(const QString& text)
{
    if (text.isEmpty() && state.search().isEmpty())
        return;
    const auto query = parseQuery(text, lanes());
    SpanHits hits = query ? findSpans(model(), shownSide(), *query) : SpanHits {};
    state.setSearch(text, std::move(hits.spans), hits.cut);
}

// A plan is predicted anew with every step of a drag: its operations keep their names.
void TimelineView::Private::keepSelected()
{
    const auto selected = state.selected();
    if (!selected)
        return;
    kept = model().span(*selected);
    keptSide = selected->side;
    const QSignalBlocker quiet(&state); // the pane need not go and come back
    state.setSelected(std::nullopt);
}

void TimelineView::Private::findSelected()
{
    if (!kept)
        return;
    const Span s = *std::exchange(kept, std::nullopt);
    const TimelineSide& side = model().side(keptSide);
    for (const std::uint32_t at :
        side.table().find(side.trace().spans, s.stage, s.kind, s.microbatch))
        if (side.trace().spans[at].chunk == s.chunk)
            return state.setSelected(SpanRef { keptSide, at });
    emit state.selectedChanged();
}

void TimelineView::Private::findMemory()
{
    const auto& memory = model().side(shownSide()).memory();
    derived.memoryDevice = std::max(0, memoryDevice);
    const bool given = memoryDevice >= 0 && static_cast<std::size_t>(memoryDevice) < memory.size();
    if (given || memory.empty())
        return;
    const auto fullest = std::ranges::max_element(memory, {}, &MemoryCurve::peak);
    derived.memoryDevice = static_cast<int>(fullest - memory.begin());
}

void TimelineView::Private::deriveContent()
{
    if (!derived.differenceKnown)
        deriveDifference();
    if (derived.known)
        return;
    derived.known = true;
    findMemory();
    findFlow();
}

// A large pair is aligned in turns, between which the window lives on.
void TimelineView::Private::deriveDifference()
{
    const TraceSide shown = model().has(TraceSide::Run) ? TraceSide::Run : TraceSide::Plan;
    const TraceSide base = shown == TraceSide::Run ? TraceSide::Plan : TraceSide::Pinned;
    if (derived.difference.shown() != shown)
        derived.difference = TimelineDifference(shown, base);
    if (!model().has(base) || (shown != shownSide() && state.mode() != TimelineMode::Difference))
        return;
    if (shown == TraceSide::Plan && state.mode() != TimelineMode::Difference)
        return; // nothing else draws it, and it is asked for with every step of a drag
    derived.differenceKnown = derived.difference.extend(model(), kMostCompared);
    if (!derived.differenceKnown)
        QTimer::singleShot(0, owner, [this] { owner->update(); });
}

void TimelineView::Private::deriveSelection()
{
    if (!derived.selected && state.selection())
        derived.selected = statistics(model(), shownSide(), *state.selection());
}

void TimelineView::Private::findFlow()
{
    derived.flow.clear();
    const TraceSide side = state.selected() ? state.selected()->side : shownSide();
    if (const auto microbatch = state.microbatch())
        derived.flow = model().microbatch(side, *microbatch);
}

void TimelineView::Private::deriveCard()
{
    card.clear();
    if (const auto span = state.hover())
        card = cardLines(model(), *span, names, difference());
    else if (rowHover)
        card = rowCard(*rowHover);
}

void TimelineView::Private::deriveGeometry()
{
    geometry.derive(model(), state, owner->size(), hasMemory());
}

QPointF TimelineView::Private::cardAt() const
{
    const LaneLayout& layout = geometry.layout();
    if (const auto span = state.hover(); span && mouse.byKeys)
        if (const LaneRow* row = layout.rowOf(model(), *span)) {
            const Span& s = model().span(*span);
            const QRectF box = layout.rect(*row, { s.start, s.end });
            return { std::clamp(box.center().x(), layout.scale.left,
                         layout.scale.left + layout.scale.width),
                box.bottom() - 8 };
        }
    return mouse.last;
}

void TimelineView::Private::scrollTo(SpanRef span)
{
    deriveGeometry();
    if (const LaneRow* row = geometry.layout().rowOf(model(), span))
        geometry.scrollTo(*row);
}

// Of the measured operations in sight, the one that took longest beyond its plan, where one did.
Card TimelineView::Private::lateCard() const
{
    const TimelineDifference* held = difference();
    if (!held || held->shown() != TraceSide::Run || shownSide() != TraceSide::Run)
        return {};
    const VisibleBox* worst = nullptr;
    double longest = 0;
    for (const auto& row : geometry.boxes())
        for (const VisibleBox& box : row)
            if (box.span && box.span->side == TraceSide::Run && box.rect.width() > 2
                && held->outlier(model(), *box.span))
                if (const double longer = held->of(model(), *box.span)->longer; longer > longest) {
                    longest = longer;
                    worst = &box;
                }
    if (!worst)
        return {};
    const Span& s = model().span(*worst->span);
    const bool seconds = model().seconds();
    QStringList about { Words::tr("%1 planned").arg(timeText(s.end - s.start - longest, seconds)) };
    about << updatesBeside(model(), *worst->span);
    Card late;
    late.lines = {
        { Words::tr("%1 took %2 longer than planned").arg(nameText(s), timeText(longest, seconds)),
            CardLine::Role::Title },
        { about.join(QStringLiteral(" · ")) }
    };
    late.at = QPointF(worst->rect.left() - 14, worst->rect.bottom() - 8);
    return late;
}

TimelineScene TimelineView::Private::scene()
{
    TimelineScene scene { model(), state, geometry.layout(), theme(), names, geometry.boxes(), ink,
        difference() };
    const auto at = static_cast<std::size_t>(derived.memoryDevice);
    scene.memoryDevice = derived.memoryDevice;
    if (const auto& memory = model().side(shownSide()).memory(); at < memory.size())
        scene.memoryPeak = memory[at].peak();
    scene.capacity = capacity();
    scene.heads = heads;
    scene.flow = derived.flow;
    scene.size = owner->size();
    scene.loading = owner->isLoading();
    if (!derived.differenceKnown)
        scene.compared = static_cast<double>(derived.difference.seen())
            / static_cast<double>(
                std::max<std::size_t>(1, model().trace(derived.difference.shown()).spans.size()));
    if (!paintingPicture) {
        scene.focus = owner->hasFocus();
        scene.cursor = cursor;
        scene.card = { card, cardAt() };
    }
    scene.late = lateCard();
    return scene;
}

bool TimelineView::Private::hasMemory() const
{
    return std::ranges::any_of(
        model().side(shownSide()).memory(), [](const auto& curve) { return !curve.empty(); });
}

double TimelineView::Private::capacity() const
{
    const auto at = static_cast<std::size_t>(derived.memoryDevice);
    return at < capacities.size() ? capacities[at] : 0;
}

} // namespace stageloom
