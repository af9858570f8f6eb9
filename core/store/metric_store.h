// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/store/database.h"
#include <string>
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

// A curve, full resolution, column by column.
struct MetricSeries {
    std::vector<double> step, time, tokens, value;
};

// Columns kept: "loss", "validation_loss", "tokens_per_second", "grad_norm", "learning_rate",
// "rss_bytes".
std::vector<std::string> metricNames();

// Compressed column blocks with min/max, never a row a point.
class MetricStore {
public:
    explicit MetricStore(Database& database)
        : m_database(database)
    {
    }
    // Into the last block and as many new ones as they need.
    Status append(RunId id, const std::vector<MetricPoint>& points);
    Result<std::vector<MetricPoint>> read(RunId id) const;
    // Without the points where it is NaN.
    Result<MetricSeries> series(RunId id, const std::string& metric) const;

private:
    Database& m_database;
};

} // namespace stageloom
