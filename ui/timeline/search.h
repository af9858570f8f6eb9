// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_model.h"
#include <QStringList>
#include <optional>
#include <vector>

namespace stageloom {

// What a search text asks for; every field given must match.
struct SpanQuery {
    std::optional<ActionKind> kind;
    std::optional<int> microbatch, batch; // from 0; the text counts from 1
    std::optional<int> stage, version; // as written
    std::optional<std::vector<int>> devices; // whose name the text says
    [[nodiscard]] bool matches(const Span& span) const;
};

// "microbatch 5", "B3", "F 12", "stage 2 B", "W1", "batch 4", "GPU 1", "update". `lanes`: the names
// that the lanes show, by device. Nothing where the text reads as none of them.
std::optional<SpanQuery> parseQuery(const QString& text, const QStringList& lanes);

struct SpanHits {
    std::vector<SpanRef> spans; // by start
    bool cut = false; // these are the first of more
};
SpanHits findSpans(
    const TimelineModel& model, TraceSide side, const SpanQuery& query, std::size_t most = 100'000);

} // namespace stageloom
