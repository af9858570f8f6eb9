// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_model.h"

namespace stageloom {

// Where the arrow of a microbatch's flow that ends at `span` begins: at the span that makes its
// input, else, for the first backward, at the forward of its stage.
std::optional<SpanRef> flowOrigin(const TimelineModel& model, SpanRef span);

// One operation back or forth along the flow. What no arrow reaches (recompute, weight gradient,
// transfers) stands between the operations of its microbatch by time. Nothing at either end.
std::optional<SpanRef> producerOf(const TimelineModel& model, SpanRef span);
std::optional<SpanRef> userOf(const TimelineModel& model, SpanRef span);

} // namespace stageloom
