// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/row_text.h"

#include "core/base/units.h"
#include "ui/theme/text.h"
#include "ui/timeline/numbering.h"
#include <QCoreApplication>
#include <algorithm>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

// Until the last part of its backward has ended; always where that is not in the trace.
bool isHeld(const TimelineSide& side, const Span& forward, double time)
{
    const auto& spans = side.trace().spans;
    for (const ActionKind kind : { ActionKind::Backward, ActionKind::BackwardWeight })
        for (const std::uint32_t at :
            side.table().find(spans, forward.stage, kind, forward.microbatch))
            if (spans[at].end <= time)
                return false;
    return true;
}

QString stashesText(const StashesHeld& held)
{
    if (held.count == 0)
        return Words::tr("no stash");
    const QString microbatches = rangesText(held.microbatches);
    return held.count == 1
        ? Words::tr("1 stash, microbatch %1").arg(microbatches)
        : Words::tr("%1 stashes, microbatches %2").arg(held.count).arg(microbatches);
}

} // namespace

StashesHeld stashesHeld(const TimelineSide& side, int device, double time)
{
    constexpr std::size_t kFar = 50'000;
    const auto& spans = side.trace().spans;
    const SpanIndex& lane = side.compute(device);
    std::size_t after = lane.firstStartingAt(spans, time);
    while (after < lane.size() && spans[lane.reference(after)].start <= time)
        ++after;
    StashesHeld held;
    for (std::size_t i = after; i-- > 0 && after - i <= kFar;)
        if (const Span& s = spans[lane.reference(i)];
            s.kind == ActionKind::Forward && isHeld(side, s, time)) {
            ++held.count;
            held.microbatches.push_back(s.microbatch);
        }
    std::ranges::sort(held.microbatches);
    const auto twice = std::ranges::unique(held.microbatches);
    held.microbatches.erase(twice.begin(), twice.end());
    return held;
}

QString rangesText(const std::vector<int>& indices)
{
    constexpr int kMost = 6;
    QStringList ranges;
    for (std::size_t i = 0; i < indices.size();) {
        std::size_t last = i;
        while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1)
            ++last;
        if (ranges.size() == kMost) {
            ranges << QStringLiteral("…");
            break;
        }
        ranges << (last == i ? QString::number(shownNumber(indices[i]))
                             : QStringLiteral("%1–%2")
                                   .arg(shownNumber(indices[i]))
                                   .arg(shownNumber(indices[last])));
        i = last + 1;
    }
    return ranges.join(QStringLiteral(", "));
}

std::vector<CardLine> memoryCard(const TimelineSide& side, const MemoryOf& of, double time,
    const QStringList& names, bool seconds)
{
    const auto at = static_cast<std::size_t>(of.device);
    if (at >= side.memory().size())
        return {};
    const MemoryCurve& curve = side.memory()[at];
    const double bytes = curve.at(time);
    std::vector<CardLine> lines;
    lines.push_back({ Words::tr("%1 on %2").arg(bytesText(bytes), deviceText(names, of.device)),
        CardLine::Role::Title });
    lines.push_back(
        { of.capacity > 0 ? Words::tr("at %1 · %2 of %3")
                                .arg(timeText(time, seconds), percentText(bytes / of.capacity),
                                    bytesText(of.capacity))
                          : Words::tr("at %1").arg(timeText(time, seconds)) });
    lines.push_back({ stashesText(stashesHeld(side, of.device, time)) });
    lines.push_back({ Words::tr("peak %1 at %2: %3")
                          .arg(bytesText(curve.peak()), timeText(curve.peakTime(), seconds),
                              stashesText(stashesHeld(side, of.device, curve.peakTime()))),
        of.capacity > 0 && curve.peak() > of.capacity ? CardLine::Role::Warning
                                                      : CardLine::Role::Plain });
    return lines;
}

std::vector<CardLine> versionCard(const TimelineSide& side, double time, bool seconds)
{
    const auto& all = side.versions();
    const auto found = std::ranges::find_if(
        all, [time](const VersionSegment& v) { return v.range.contains(time); });
    if (found == all.end())
        return {};
    std::vector<CardLine> lines;
    lines.push_back({ Words::tr("Version W%1").arg(found->version), CardLine::Role::Title });
    lines.push_back(
        { Words::tr("newest on every stage %1 – %2 (%3)")
                .arg(timeText(found->range.begin, seconds), timeText(found->range.end, seconds),
                    timeText(found->range.length(), seconds)) });
    const auto batches = side.table().batchesReading(side.trace().spans, found->version);
    if (!batches)
        lines.push_back({ Words::tr("no batch computes with it here") });
    else if (batches->first == batches->second)
        lines.push_back(
            { Words::tr("batch %1 computes with it").arg(shownNumber(batches->first)) });
    else
        lines.push_back({ Words::tr("batches %1–%2 compute with it")
                              .arg(shownNumber(batches->first))
                              .arg(shownNumber(batches->second)) });
    return lines;
}

} // namespace stageloom
