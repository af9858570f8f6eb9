// SPDX-License-Identifier: Apache-2.0
#include "core/store/metric_point.h"

#include <limits>

namespace stageloom {

namespace {

double numberOrNaN(const Json& object, const char* key)
{
    const auto at = object.find(key);
    return at != object.end() && at->is_number() ? at->get<double>()
                                                 : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

const std::vector<MetricColumn>& metricColumns()
{
    static const std::vector<MetricColumn> kColumns {
        { "loss", &MetricPoint::loss, true },
        { "validation_loss", &MetricPoint::validationLoss, true },
        { "tokens_per_second", &MetricPoint::tokensPerSecond, true },
        { "grad_norm", &MetricPoint::gradNorm, true },
        { "learning_rate", &MetricPoint::learningRate, true },
        { "rss_bytes", &MetricPoint::rssBytes, true },
    };
    return kColumns;
}

Json toJson(const MetricPoint& point)
{
    Json object { { "step", point.step }, { "time", point.time }, { "tokens", point.tokens } };
    for (const MetricColumn& column : metricColumns())
        object[column.name] = point.*column.member;
    return object;
}

MetricPoint metricPointFromJson(const Json& object)
{
    MetricPoint point;
    const auto step = object.find("step");
    if (step != object.end() && step->is_number_integer())
        point.step = step->get<std::int64_t>();
    point.time = numberOrNaN(object, "time");
    point.tokens = numberOrNaN(object, "tokens");
    for (const MetricColumn& column : metricColumns())
        point.*column.member = numberOrNaN(object, column.name);
    return point;
}

} // namespace stageloom
