// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/span_tsv.h"

#include "ui/timeline/numbering.h"
#include <QCoreApplication>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

QString joined(const QStringList& cells)
{
    return cells.join(QLatin1Char('\t'));
}

QString ofTime(const QString& title, bool seconds)
{
    return seconds ? Words::tr("%1 (s)").arg(title) : title;
}

} // namespace

QString spanTsv(const TimelineModel& model, SpanRef ref, const QStringList& names,
    const TimelineDifference* difference)
{
    const Span& s = model.span(ref);
    const bool seconds = model.seconds();
    QStringList titles { Words::tr("Operation"), Words::tr("Microbatch"), Words::tr("Batch"),
        Words::tr("Stage"), Words::tr("Device"), Words::tr("Version"),
        ofTime(Words::tr("Start"), seconds), ofTime(Words::tr("End"), seconds),
        ofTime(Words::tr("Duration"), seconds), Words::tr("Stashes"), Words::tr("Most stashes") };
    QStringList cells { kindText(s.kind),
        carriesMicrobatch(s.kind) ? QString::number(shownNumber(s.microbatch)) : QString(),
        QString::number(shownNumber(s.batch)), QString::number(s.stage),
        deviceText(names, s.device),
        s.version >= 0 ? QStringLiteral("W%1").arg(s.version) : QString(), plainNumber(s.start),
        plainNumber(s.end), plainNumber(s.end - s.start) };
    cells << (isCompute(s.kind) ? QString::number(model.stashAt(ref)) : QString())
          << (isCompute(s.kind) ? QString::number(model.mostStashes(ref.side, s.stage))
                                : QString());
    if (const auto of = difference ? difference->of(model, ref) : std::nullopt) {
        titles << ofTime(difference->base() == TraceSide::Pinned ? Words::tr("Longer than in A")
                                                                 : Words::tr("Longer than planned"),
            seconds);
        cells << plainNumber(of->longer);
    }
    return joined(titles) + QLatin1Char('\n') + joined(cells);
}

QString statisticsTsv(
    const RangeStatistics& found, const TimeRange& range, const QStringList& names, bool seconds)
{
    QStringList rows { joined(
        { Words::tr("Part"), Words::tr("Count"), ofTime(Words::tr("Total"), seconds),
            ofTime(Words::tr("Mean"), seconds), Words::tr("Share") }) };
    const double devices = static_cast<double>(found.busy.size()), length = range.length();
    const auto add = [&](const QString& part, const QString& count, double total,
                         const QString& mean, double of) {
        rows << joined({ part, count, plainNumber(total), mean,
            of > 0 ? plainNumber(total / of) : QString() });
    };
    add(Words::tr("Range"), QString::number(found.count()), length, {}, length);
    for (std::size_t device = 0; device < found.busy.size(); ++device)
        add(Words::tr("%1 busy").arg(deviceText(names, static_cast<int>(device))), {},
            found.busy[device] * length, {}, length);
    for (const auto& [kind, of] : found.kinds)
        add(kindText(kind), QString::number(of.count), of.total, plainNumber(of.mean()),
            isCompute(kind) ? devices * length : 0);
    for (std::size_t cause = 0; cause < found.idle.size(); ++cause)
        if (found.idle[cause] > 0)
            add(Words::tr("Idle: %1").arg(idleText(static_cast<IdleCause>(cause))), {},
                found.idle[cause] * devices * length, {}, devices * length);
    return rows.join(QLatin1Char('\n'));
}

} // namespace stageloom
