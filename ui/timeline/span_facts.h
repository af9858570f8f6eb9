// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_difference.h"
#include <QStringList>
#include <optional>

namespace stageloom {

// What is known of one operation beyond its name. Times as in the trace.
struct SpanFacts {
    double start = 0, duration = 0;
    double waited = 0; // its device stood idle just before it
    double onLink = 0; // the part of that after its input was made
    // It could end so much later without anything else starting later: neither what its device does
    // next, nor what needs its output. Nothing where neither is in the trace.
    std::optional<double> slack;
    int version = -1;
    std::optional<SpanRef> input, user; // on other stages
};
SpanFacts factsOf(const TimelineModel& model, SpanRef span);
// "gradient 7 of stage 3": what a span makes, or needs of another.
QString outputText(const Span& made);
// Whom it waits for and who waits for it, a sentence each.
QStringList waitsText(const TimelineModel& model, SpanRef span);
// "Backward 7", "Update of batch 3".
QString nameText(const Span& span);

} // namespace stageloom
