// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/span_tsv.h"

#include "ui/timeline/numbering.h"
#include <QCoreApplication>

namespace stageloom {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Timeline", text);
}

QString joined(const QStringList& cells)
{
    return cells.join(QLatin1Char('\t'));
}

QString ofTime(const QString& title, bool seconds)
{
    return seconds ? tr("%1 (s)").arg(title) : title;
}

} // namespace

QString spanTsv(const TimelineModel& model, SpanRef ref, const QStringList& names,
    const TimelineDifference* difference)
{
    const Span& s = model.span(ref);
    const bool seconds = model.seconds();
    QStringList titles { tr("Operation"), tr("Microbatch"), tr("Batch"), tr("Stage"), tr("Device"),
        tr("Version"), ofTime(tr("Start"), seconds), ofTime(tr("End"), seconds),
        ofTime(tr("Duration"), seconds), tr("Stashes"), tr("Most stashes") };
    QStringList cells { kindText(s.kind),
        carriesMicrobatch(s.kind) ? QString::number(shownNumber(s.microbatch)) : QString(),
        QString::number(shownNumber(s.batch)), QString::number(s.stage),
        deviceText(names, s.device),
        s.version >= 0 ? QStringLiteral("W%1").arg(s.version) : QString(), plainNumber(s.start),
        plainNumber(s.end), plainNumber(s.end - s.start) };
    cells << (isCompute(s.kind) ? QString::number(model.stashAt(ref)) : QString())
          << (isCompute(s.kind) ? QString::number(model.mostStashes(ref.side, s.stage))
                                : QString());
    if (const auto of
        = difference && ref.side == TraceSide::Run ? difference->of(model, ref) : std::nullopt) {
        titles << ofTime(tr("Longer than planned"), seconds);
        cells << plainNumber(of->longer);
    }
    return joined(titles) + QLatin1Char('\n') + joined(cells);
}

QString statisticsTsv(
    const RangeStatistics& found, const TimeRange& range, const QStringList& names, bool seconds)
{
    QStringList rows { joined({ tr("Part"), tr("Count"), ofTime(tr("Total"), seconds),
        ofTime(tr("Mean"), seconds), tr("Share") }) };
    const double devices = static_cast<double>(found.busy.size()), length = range.length();
    const auto add = [&](const QString& part, const QString& count, double total,
                         const QString& mean, double of) {
        rows << joined({ part, count, plainNumber(total), mean,
            of > 0 ? plainNumber(total / of) : QString() });
    };
    add(tr("Range"), QString::number(found.count()), length, {}, length);
    for (std::size_t device = 0; device < found.busy.size(); ++device)
        add(tr("%1 busy").arg(deviceText(names, static_cast<int>(device))), {},
            found.busy[device] * length, {}, length);
    for (const auto& [kind, of] : found.kinds)
        add(kindText(kind), QString::number(of.count), of.total, plainNumber(of.mean()),
            isCompute(kind) ? devices * length : 0);
    for (std::size_t cause = 0; cause < found.idle.size(); ++cause)
        if (found.idle[cause] > 0)
            add(tr("Idle: %1").arg(idleText(static_cast<IdleCause>(cause))), {},
                found.idle[cause] * devices * length, {}, devices * length);
    return rows.join(QLatin1Char('\n'));
}

} // namespace stageloom
