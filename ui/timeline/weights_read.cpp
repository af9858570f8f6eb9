// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/weights_read.h"

#include "ui/timeline/numbering.h"
#include <QCoreApplication>
#include <algorithm>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

} // namespace

std::vector<BatchReads> batchesReading(
    const TimelineSide& side, int device, const TimeRange& sight, int most)
{
    const SpanIndex& lane = side.compute(device);
    const auto& spans = side.trace().spans;
    const int m = side.trace().microbatches;
    if (lane.empty() || m <= 0)
        return {};
    const auto batchAt = [&](double time) {
        const std::size_t at = lane.firstEndingAfter(spans, time);
        return spans[lane.reference(std::min(at, lane.size() - 1))].batch;
    };
    // Forwards of the next batch may begin while backwards of this one are still computed.
    const int first = std::max(side.firstBatch(), batchAt(sight.begin) - 1);
    const int last = std::min(side.lastBatch(), batchAt(sight.end) + 1);
    if (last - first > most)
        return {};
    const int stage = spans[lane.reference(0)].stage;
    std::vector<BatchReads> all;
    for (int batch = first; batch <= last; ++batch) {
        const auto found = side.table().find(spans, stage, ActionKind::Forward, batch * m);
        if (found.empty() || spans[found.front()].version < 0)
            continue;
        const Span& s = spans[found.front()];
        if (!all.empty())
            all.back().range.end = s.start;
        all.push_back({ { s.start, side.extent().end }, batch, s.version });
    }
    std::erase_if(all, [&](const BatchReads& reads) {
        return reads.range.end <= sight.begin || reads.range.begin >= sight.end;
    });
    return all;
}

QString readsText(const BatchReads& reads, const QString& device, ReadsForm form)
{
    const QString version = QStringLiteral("W%1").arg(reads.version);
    if (form == ReadsForm::Version)
        return version;
    const QString text = form == ReadsForm::Age
        ? version
        : Words::tr("batch %1 on %2 reads %3").arg(shownNumber(reads.batch)).arg(device, version);
    const int old = reads.batch - reads.version;
    if (old <= 0)
        return text;
    return old == 1 ? Words::tr("%1, one batch old").arg(text)
                    : Words::tr("%1, %2 batches old").arg(text).arg(old);
}

} // namespace stageloom
