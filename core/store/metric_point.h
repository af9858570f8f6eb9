// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include <cstdint>
#include <vector>

namespace stageloom {

// One batch's numbers. NaN: not measured in this batch (validation loss, mostly).
struct MetricPoint {
    // Batches done: 1 for the first.
    std::int64_t step = 0;
    // Seconds since the run's start.
    double time = 0;
    // Cross entropy, nats a token, of the batch and of the validation text.
    double loss = 0, validationLoss = 0;
    // Over the last batches, without what was held (evaluation, pauses).
    double tokensPerSecond = 0;
    // L2 norm of all gradients, before they are clipped.
    double gradNorm = 0;
    double learningRate = 0;
    // Memory that the engine's process holds.
    double rssBytes = 0;
    // Trained on since the start.
    double tokens = 0;
};

// One row of the table of metrics: all that the store, the control channel and the exports know of
// one. What a point is placed by (step, time, tokens) is no metric and stands before them.
struct MetricColumn {
    // In stores, on the control channel and in exports.
    const char* name;
    double MetricPoint::*member;
    // The table of blocks keeps its least and greatest value, as NAME_min and NAME_max.
    bool bounded = false;
};

// The order is that of the columns in a stored block. Rows are added at the end and never moved or
// taken out: a block holds the rows that there were when it was written.
const std::vector<MetricColumn>& metricColumns();

// Every number by its name, as exports and the control channel have them.
Json toJson(const MetricPoint& point);
// What is missing or no number is NaN, a step 0.
MetricPoint metricPointFromJson(const Json& object);

} // namespace stageloom
