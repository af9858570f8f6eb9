// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/store/database.h"
#include <string>
#include <vector>

namespace stageloom {

// One batch's numbers. NaN: not measured in this batch (validation loss, mostly).
struct MetricPoint {
    std::int64_t step = 0; // 1-based: batches done
    double time = 0; // seconds since the run's start
    double loss = 0, validationLoss = 0, tokensPerSecond = 0, gradNorm = 0, learningRate = 0,
           rssBytes = 0;
    double tokens = 0; // since the start
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
    Status append(RunId id, const std::vector<MetricPoint>& points); // one block
    Result<std::vector<MetricPoint>> read(RunId id) const;
    Result<MetricSeries> series(RunId id, const std::string& metric) const; // NaN points left out

private:
    Database& m_database;
};

} // namespace stageloom
