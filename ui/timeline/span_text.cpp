// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/span_text.h"

#include "core/base/units.h"
#include "ui/theme/text.h"
#include "ui/timeline/numbering.h"
#include "ui/timeline/span_facts.h"
#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

QString differenceLine(const SpanDifference& d, bool pinned, bool seconds)
{
    const QString length = (d.longer >= 0
            ? pinned ? Words::tr("%1 longer than in A") : Words::tr("%1 longer than planned")
            : pinned ? Words::tr("%1 shorter than in A")
                     : Words::tr("%1 shorter than planned"))
                               .arg(timeText(std::fabs(d.longer), seconds));
    if (!d.exact)
        return length;
    if (pinned)
        return length + QStringLiteral(" · ")
            + (d.late >= 0 ? Words::tr("ends %1 later").arg(timeText(d.late, seconds))
                           : Words::tr("ends %1 earlier").arg(timeText(-d.late, seconds)));
    return length + QStringLiteral(" · ")
        + (d.late >= 0 ? Words::tr("ended %1 late").arg(timeText(d.late, seconds))
                       : Words::tr("ended %1 early").arg(timeText(-d.late, seconds)));
}

} // namespace

QString timeText(double time, bool seconds)
{
    return seconds ? secondsText(time) : QString::number(time, 'g', 4);
}

QString plainNumber(double value)
{
    return QString::number(value, 'g', 10);
}

QString kindText(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Forward:
        return Words::tr("Forward");
    case ActionKind::Backward:
        return Words::tr("Backward");
    case ActionKind::BackwardInput:
        return Words::tr("Backward for the input");
    case ActionKind::BackwardWeight:
        return Words::tr("Weight gradient");
    case ActionKind::Recompute:
        return Words::tr("Recompute");
    case ActionKind::Update:
        return Words::tr("Update");
    case ActionKind::Send:
        return Words::tr("Send");
    case ActionKind::Recv:
        return Words::tr("Receive");
    case ActionKind::AllReduce:
        return Words::tr("All-reduce");
    }
    return {};
}

QString idleText(IdleCause cause)
{
    switch (cause) {
    case IdleCause::Fill:
        return Words::tr("fill");
    case IdleCause::Drain:
        return Words::tr("drain");
    case IdleCause::Imbalance:
        return Words::tr("imbalance");
    case IdleCause::Link:
        return Words::tr("link");
    case IdleCause::Data:
        return Words::tr("data");
    case IdleCause::Optimizer:
        return Words::tr("optimizer");
    case IdleCause::Other:
        return Words::tr("other");
    }
    return {};
}

QString causeText(IdleCause cause)
{
    switch (cause) {
    case IdleCause::Fill:
        return Words::tr("the pipeline fills: no gradient has come yet");
    case IdleCause::Drain:
        return Words::tr("the pipeline empties: no forward is left");
    case IdleCause::Imbalance:
        return Words::tr("the input was still being computed");
    case IdleCause::Link:
        return Words::tr("the input was on its way");
    case IdleCause::Data:
        return Words::tr("the data was not there yet");
    case IdleCause::Optimizer:
        return Words::tr("an update, or the wait for other stages' part of it");
    case IdleCause::Other:
        return Words::tr("none of the other causes");
    }
    return {};
}

QString boxText(const Span& span)
{
    if (span.kind == ActionKind::Update)
        return span.version >= 0 ? QStringLiteral("W%1").arg(span.version) : QStringLiteral("U");
    return carriesMicrobatch(span.kind) ? QString::number(shownNumber(span.microbatch)) : QString();
}

QString deviceText(const QStringList& names, int device)
{
    return device < names.size() ? names[device] : Words::tr("GPU %1").arg(device);
}

std::vector<CardLine> cardLines(const TimelineModel& model, SpanRef ref, const QStringList& names,
    const TimelineDifference* difference)
{
    using Role = CardLine::Role;
    const Span& s = model.span(ref);
    const bool seconds = model.seconds();
    std::vector<CardLine> lines;
    lines.push_back(
        { (carriesMicrobatch(s.kind)
                  ? Words::tr("%1 · microbatch %2 · %3")
                        .arg(kindText(s.kind))
                        .arg(shownNumber(s.microbatch))
                  : Words::tr("%1 · batch %2 · %3").arg(kindText(s.kind)).arg(shownNumber(s.batch)))
                .arg(deviceText(names, s.device)),
            Role::Title });
    lines.push_back({ QStringLiteral("%1 – %2 (%3)")
                          .arg(timeText(s.start, seconds), timeText(s.end, seconds),
                              timeText(s.end - s.start, seconds)) });
    QString place = Words::tr("stage %1 · batch %2").arg(s.stage).arg(shownNumber(s.batch));
    if (s.version >= 0)
        place += Words::tr(" · version W%1").arg(s.version);
    lines.push_back({ place });
    if (const std::string cargo = cargoText(s); !cargo.empty())
        lines.push_back({ QString::fromStdString(cargo) });
    if (isCompute(s.kind))
        lines.push_back({ Words::tr("stash %1 of %2")
                              .arg(model.stashAt(ref))
                              .arg(model.mostStashes(ref.side, s.stage)) });
    const SpanFacts facts = factsOf(model, ref);
    const double wait = facts.waited;
    if (const auto input = facts.input; input && wait > 1e-6 * model.extent(true).length())
        lines.push_back({ Words::tr("waited %1 for the %2 of %3")
                              .arg(timeText(wait, seconds),
                                  s.kind == ActionKind::Forward ? Words::tr("activation")
                                                                : Words::tr("gradient"),
                                  deviceText(names, model.span(*input).device)),
            Role::Warning });
    if (const auto of = difference ? difference->of(model, ref) : std::nullopt) {
        const bool pinned = difference->base() == TraceSide::Pinned;
        lines.push_back({ differenceLine(*of, pinned, seconds),
            !pinned && difference->outlier(model, ref) ? Role::Warning : Role::Plain });
    }
    return lines;
}

QStringList statisticsLines(
    const RangeStatistics& found, const TimeRange& range, const QStringList& names, bool seconds)
{
    const auto percent = [](double share) { return percentText(share); };
    QStringList lines;
    lines << Words::tr("%1 selected · %2 busy · %3 operations")
                 .arg(timeText(range.length(), seconds), percent(found.busyShare),
                     QLocale().toString(static_cast<qulonglong>(found.count())));
    constexpr std::size_t kMost = 8; // devices; a card, not a table
    for (std::size_t device = 0; device < std::min(kMost, found.busy.size()); ++device)
        lines << Words::tr("%1: %2 busy, %3 idle")
                     .arg(deviceText(names, static_cast<int>(device)), percent(found.busy[device]),
                         percent(std::max(0.0, 1 - found.busy[device])));
    if (found.busy.size() > kMost)
        lines << Words::tr("and %1 devices more").arg(found.busy.size() - kMost);
    for (const auto& [kind, of] : found.kinds)
        lines << Words::tr("%1: %2 · total %3 · mean %4")
                     .arg(kindText(kind), QLocale().toString(static_cast<qulonglong>(of.count)),
                         timeText(of.total, seconds), timeText(of.mean(), seconds));
    QStringList causes;
    for (std::size_t c = 0; c < found.idle.size(); ++c)
        if (found.idle[c] >= 0.0005)
            causes << Words::tr("%1 %2").arg(
                idleText(static_cast<IdleCause>(c)), percent(found.idle[c]));
    if (!causes.isEmpty())
        lines << Words::tr("idle: %1").arg(causes.join(QStringLiteral(", ")));
    return lines;
}

} // namespace stageloom
