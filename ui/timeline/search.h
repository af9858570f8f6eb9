// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_model.h"
#include <QString>
#include <optional>

namespace stageloom {

// What a search text asks for; every field given must match.
struct SpanQuery {
    std::optional<ActionKind> kind;
    std::optional<int> microbatch; // 0-based; the text counts from 1
    std::optional<int> batch, stage, device, version; // as written
    [[nodiscard]] bool matches(const Span& span) const;
};

// "microbatch 5", "B3", "F 12", "stage 2 B", "W1", "batch 4", "GPU 1", "update". Nothing where it
// reads as none of them.
std::optional<SpanQuery> parseQuery(const QString& text);
// By start.
std::vector<SpanRef> findSpans(
    const TimelineModel& model, TraceSide side, const SpanQuery& query, std::size_t most = 100'000);

} // namespace stageloom
