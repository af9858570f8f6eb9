// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/store/database.h"
#include "core/store/metric_point.h"
#include <string>
#include <vector>

namespace stageloom {

// A curve, full resolution, column by column.
struct MetricSeries {
    std::vector<double> step, time, tokens, value;
};

// Of the table of metrics, in its order: "loss", "validation_loss", …
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
    Result<std::vector<MetricPoint>> read(RunId id) const { return readFrom(id, 0); }
    // From a step on; takes as long as what comes after it, however much there is before. The last
    // step that is known may have got an evaluation since: read from that one again.
    Result<std::vector<MetricPoint>> readFrom(RunId id, std::int64_t step) const;
    // Without the points where it is NaN.
    Result<MetricSeries> series(RunId id, const std::string& metric) const;

private:
    Database& m_database;
};

} // namespace stageloom
