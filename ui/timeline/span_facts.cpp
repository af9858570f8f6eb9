// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/span_facts.h"

#include "ui/timeline/numbering.h"
#include "ui/timeline/span_text.h"
#include <QCoreApplication>
#include <algorithm>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

} // namespace

SpanFacts factsOf(const TimelineModel& model, SpanRef ref)
{
    const Span& s = model.span(ref);
    const TimelineSide& side = model.side(ref.side);
    const auto& spans = side.trace().spans;
    SpanFacts facts { s.start, s.end - s.start, 0, 0, std::nullopt, s.version, model.input(ref),
        std::nullopt };
    const auto before = [&](double free) {
        facts.slack = std::max(0.0, facts.slack ? std::min(*facts.slack, free) : free);
    };
    const bool compute = isCompute(s.kind) || s.kind == ActionKind::Update;
    const SpanIndex& lane = compute ? side.compute(s.device) : side.transfers(s.device);
    std::size_t at = lane.firstStartingAt(spans, s.start);
    while (at < lane.size() && lane.reference(at) != ref.index)
        ++at;
    if (compute && at > 0 && at < lane.size())
        facts.waited = std::max(0.0, s.start - spans[lane.reference(at - 1)].end);
    if (compute && at == 0)
        facts.waited = std::max(0.0, s.start - side.extent().begin);
    if (facts.input)
        facts.onLink = std::clamp(s.start - model.span(*facts.input).end, 0.0, facts.waited);
    if (at + 1 < lane.size())
        before(spans[lane.reference(at + 1)].start - s.end);
    const auto users = side.table().consumersOf(spans, s);
    for (const std::uint32_t user : users)
        before(spans[user].start - s.end);
    if (!users.empty())
        facts.user = SpanRef { ref.side, users.front() };
    return facts;
}

QString outputText(const Span& made)
{
    return (made.kind == ActionKind::Forward ? Words::tr("activation %1 of stage %2")
                                             : Words::tr("gradient %1 of stage %2"))
        .arg(shownNumber(made.microbatch))
        .arg(made.stage);
}

QString nameText(const Span& s)
{
    return carriesMicrobatch(s.kind)
        ? Words::tr("%1 %2").arg(kindText(s.kind)).arg(shownNumber(s.microbatch))
        : Words::tr("%1 of batch %2").arg(kindText(s.kind)).arg(shownNumber(s.batch));
}

QStringList waitsText(const TimelineModel& model, SpanRef ref)
{
    const Span& s = model.span(ref);
    const SpanFacts facts = factsOf(model, ref);
    const bool seconds = model.seconds();
    const double little = 1e-6 * model.extent(true).length();
    const auto time = [&](double value) { return timeText(value, seconds); };
    QStringList lines;
    if (!facts.input) {
        lines << (facts.waited > little
                ? Words::tr("Its device was idle for %1 before it").arg(time(facts.waited))
                : Words::tr("Needs nothing of another stage"));
    } else {
        const Span& input = model.span(*facts.input);
        if (facts.waited <= little)
            lines << Words::tr("Came %1 early: %2")
                         .arg(time(std::max(0.0, s.start - input.end)), outputText(input));
        else if (facts.onLink > little && facts.onLink < facts.waited)
            lines << Words::tr("Waited %1 for %2 (%3 on the link)")
                         .arg(time(facts.waited), outputText(input), time(facts.onLink));
        else
            lines << Words::tr("Waited %1 for %2").arg(time(facts.waited), outputText(input));
    }
    if (facts.user) {
        const Span& user = model.span(*facts.user);
        const double later = user.start - s.end;
        lines << (later <= little
                ? Words::tr("Stage %1 takes its result at once: no slack").arg(user.stage)
                : Words::tr("Stage %1 takes its result %2 later").arg(user.stage).arg(time(later)));
    }
    return lines;
}

} // namespace stageloom
