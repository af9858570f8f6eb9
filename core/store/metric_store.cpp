// SPDX-License-Identifier: Apache-2.0
#include "core/store/metric_store.h"
#include "core/base/text.h"
#include "core/store/block_rows.h"
#include "core/store/column_block.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stageloom {

namespace {

constexpr std::size_t kBlockPoints = 512; // a block that is not full takes the next points in

std::vector<double> columnOf(const std::vector<MetricPoint>& points, double MetricPoint::*member)
{
    std::vector<double> values;
    values.reserve(points.size());
    for (const MetricPoint& point : points)
        values.push_back(point.*member);
    return values;
}

std::string packed(const std::vector<MetricPoint>& points)
{
    ColumnBlockWriter block;
    std::vector<std::int64_t> steps;
    for (const MetricPoint& point : points)
        steps.push_back(point.step);
    block.integers(steps);
    block.doubles(columnOf(points, &MetricPoint::time));
    block.doubles(columnOf(points, &MetricPoint::tokens));
    for (const MetricColumn& column : metricColumns())
        block.doubles(columnOf(points, column.member));
    return block.finish();
}

Status unpack(std::string_view blob, std::size_t count, std::vector<MetricPoint>& points)
{
    Result<ColumnBlockReader> block = ColumnBlockReader::open(blob);
    if (!block)
        return failure(block);
    const Result<std::vector<std::int64_t>> steps = block->integers(count);
    if (!steps)
        return failure(steps);
    const std::size_t base = points.size();
    points.resize(base + count);
    for (std::size_t i = 0; i < count; ++i)
        points[base + i].step = (*steps)[i];
    const auto take = [&](double MetricPoint::*member) -> Status {
        const Result<std::vector<double>> values = block->doubles(count);
        if (!values)
            return failure(values);
        for (std::size_t i = 0; i < count; ++i)
            points[base + i].*member = (*values)[i];
        return {};
    };
    for (double MetricPoint::*member : { &MetricPoint::time, &MetricPoint::tokens })
        if (const Status taken = take(member); !taken)
            return taken;
    for (const MetricColumn& column : metricColumns()) {
        if (!block->atEnd()) {
            if (const Status taken = take(column.member); !taken)
                return taken;
            continue;
        }
        // Written before there was this metric.
        for (std::size_t i = base; i < points.size(); ++i)
            points[i].*column.member = std::numeric_limits<double>::quiet_NaN();
    }
    return {};
}

std::pair<double, double> bounds(const std::vector<double>& values)
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    std::pair<double, double> range { kNone, kNone };
    for (const double value : values) { // fmin and fmax pass NaN over
        range.first = std::fmin(range.first, value);
        range.second = std::fmax(range.second, value);
    }
    return range;
}

// An evaluation comes after its step's own point, sometimes when that is written already: the later
// one of a step stands, what it has not measured is the earlier one's.
std::vector<MetricPoint> onePointAStep(std::vector<MetricPoint> points)
{
    std::size_t kept = 0;
    for (const MetricPoint& point : points) {
        if (kept == 0 || points[kept - 1].step != point.step) {
            points[kept++] = point;
            continue;
        }
        for (const MetricColumn& column : metricColumns())
            if (!std::isnan(point.*(column.member)))
                points[kept - 1].*(column.member) = point.*(column.member);
    }
    points.resize(kept);
    return points;
}

void writeBlock(
    SQLite::Database& db, RunId id, std::int64_t number, const std::vector<MetricPoint>& points)
{
    std::string names, places;
    for (const MetricColumn& column : metricColumns())
        if (column.bounded) {
            names += fmt::format("{0}_min, {0}_max, ", column.name);
            places += "?, ?, ";
        }
    SQLite::Statement insert(db,
        fmt::format("INSERT OR REPLACE INTO metric_blocks(run, block, points, first_step, "
                    "last_step, first_time, last_time, {}data) VALUES (?, ?, ?, ?, ?, ?, ?, {}?)",
            names, places));
    insert.bind(1, id.value);
    insert.bind(2, number);
    insert.bind(3, std::int64_t(points.size()));
    insert.bind(4, points.front().step);
    insert.bind(5, points.back().step);
    sql::bindNumber(insert, 6, points.front().time);
    sql::bindNumber(insert, 7, points.back().time);
    int at = 8;
    for (const MetricColumn& column : metricColumns()) {
        if (!column.bounded)
            continue;
        const auto [low, high] = bounds(columnOf(points, column.member));
        sql::bindNumber(insert, at++, low);
        sql::bindNumber(insert, at++, high);
    }
    const std::string blob = packed(points);
    insert.bind(at, blob.data(), int(blob.size()));
    insert.exec();
}

constexpr sql::BlockForm<MetricPoint> kMetricBlocks { "metrics",
    "SELECT block, points, data FROM metric_blocks WHERE run = ? ORDER BY block DESC LIMIT 1",
    kBlockPoints, unpack, writeBlock };

} // namespace

std::vector<std::string> metricNames()
{
    std::vector<std::string> names;
    for (const MetricColumn& column : metricColumns())
        names.emplace_back(column.name);
    return names;
}

Status MetricStore::append(RunId id, const std::vector<MetricPoint>& points)
{
    return sql::appendItems(m_database, id, kMetricBlocks, points);
}

Result<std::vector<MetricPoint>> MetricStore::readFrom(RunId id, std::int64_t step) const
{
    return sql::guarded(m_database, [&]() -> Result<std::vector<MetricPoint>> {
        SQLite::Statement query(m_database.raw(),
            "SELECT block, points, data FROM metric_blocks WHERE run = ? AND last_step >= ? "
            "ORDER BY block");
        query.bind(1, id.value);
        query.bind(2, step);
        std::vector<MetricPoint> points;
        while (query.executeStep())
            if (const Status status = sql::unpackRow(m_database, query, id, kMetricBlocks, points);
                !status)
                return failure(status);
        std::erase_if(points, [step](const MetricPoint& point) { return point.step < step; });
        return onePointAStep(std::move(points));
    });
}

Result<MetricSeries> MetricStore::series(RunId id, const std::string& metric) const
{
    const std::vector<MetricColumn>& columns = metricColumns();
    const auto column = std::find_if(columns.begin(), columns.end(),
        [&](const MetricColumn& candidate) { return metric == candidate.name; });
    if (column == columns.end())
        return fail(ErrorKind::Invalid, "there is no metric '{}'; there are {}", metric,
            joined(metricNames(), ", "));
    const Result<std::vector<MetricPoint>> points = read(id);
    if (!points)
        return failure(points);
    MetricSeries series;
    for (const MetricPoint& point : *points) {
        const double value = point.*(column->member);
        if (std::isnan(value))
            continue;
        series.step.push_back(double(point.step));
        series.time.push_back(point.time);
        series.tokens.push_back(point.tokens);
        series.value.push_back(value);
    }
    return series;
}

} // namespace stageloom
