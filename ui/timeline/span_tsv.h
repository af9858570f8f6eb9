// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/span_text.h"

namespace stageloom {

// For a spreadsheet: a header and rows, cells apart by tabs, numbers plain, times in seconds where
// the trace's times have a unit.

// What the hover card says of one operation, in one row.
QString spanTsv(const TimelineModel& model, SpanRef span, const QStringList& names,
    const TimelineDifference* difference);
// What the card of a range says: the range, each device, each kind, each cause of idling.
QString statisticsTsv(
    const RangeStatistics& found, const TimeRange& range, const QStringList& names, bool seconds);

} // namespace stageloom
