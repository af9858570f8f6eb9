// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/timeline/range_statistics.h"
#include "ui/timeline/timeline_difference.h"
#include <QStringList>

namespace stageloom {

// "398 ms", or a bare number where the trace's times have no unit.
QString timeText(double time, bool seconds);
QString plainNumber(double value); // for a spreadsheet: "0.001984"
QString kindText(ActionKind kind); // "Backward"
QString idleText(IdleCause cause); // "imbalance"
QString causeText(IdleCause cause); // "the input was still being computed"
// The number in a box: the microbatch, or the version an update makes.
QString boxText(const Span& span);
QString deviceText(const QStringList& names, int device); // "GPU 2"

struct CardLine {
    QString text;
    enum class Role { Title, Plain, Warning } role = Role::Plain;
};
// What the hover card says: what it is; when; which version and how many stashes; what it waited
// for; how it stands to plan.
std::vector<CardLine> cardLines(const TimelineModel& model, SpanRef span, const QStringList& names,
    const TimelineDifference* difference);

// A range's statistics: length and busy share, what each device did, each kind's count and sum, why
// the rest was idle.
QStringList statisticsLines(
    const RangeStatistics& found, const TimeRange& range, const QStringList& names, bool seconds);

} // namespace stageloom
