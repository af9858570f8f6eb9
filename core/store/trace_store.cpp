// SPDX-License-Identifier: Apache-2.0
#include "core/store/trace_store.h"
#include "core/store/block_rows.h"
#include "core/store/column_block.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace stageloom {

namespace {

constexpr std::size_t kBlockSpans = 2048; // a block that is not full takes the next spans in

template <typename Field>
std::vector<std::int64_t> column(const std::vector<Span>& spans, Field field)
{
    std::vector<std::int64_t> values;
    values.reserve(spans.size());
    for (const Span& span : spans)
        values.push_back(std::int64_t(std::invoke(field, span)));
    return values;
}

std::vector<double> times(const std::vector<Span>& spans, double Span::*field)
{
    std::vector<double> values;
    values.reserve(spans.size());
    for (const Span& span : spans)
        values.push_back(span.*field);
    return values;
}

std::string packed(const std::vector<Span>& spans)
{
    ColumnBlockWriter block;
    block.integers(column(spans, &Span::device));
    block.integers(column(spans, &Span::stage));
    block.integers(column(spans, chunkAndCargo));
    block.integers(column(spans, &Span::kind));
    block.integers(column(spans, &Span::batch));
    block.integers(column(spans, &Span::microbatch));
    block.integers(column(spans, &Span::version));
    block.doubles(times(spans, &Span::start));
    block.doubles(times(spans, &Span::end));
    return block.finish();
}

Status unpack(std::string_view blob, std::size_t count, std::vector<Span>& spans)
{
    Result<ColumnBlockReader> block = ColumnBlockReader::open(blob);
    if (!block)
        return failure(block);
    std::vector<std::vector<std::int64_t>> fields;
    for (int i = 0; i < 7; ++i) {
        Result<std::vector<std::int64_t>> values = block->integers(count);
        if (!values)
            return failure(values);
        fields.push_back(std::move(*values));
    }
    const Result<std::vector<double>> start = block->doubles(count);
    if (!start)
        return failure(start);
    const Result<std::vector<double>> end = block->doubles(count);
    if (!end)
        return failure(end);
    for (std::size_t i = 0; i < count; ++i) {
        Span span;
        span.device = std::int16_t(fields[0][i]);
        span.stage = std::int16_t(fields[1][i]);
        setChunkAndCargo(span, fields[2][i]);
        span.kind = static_cast<ActionKind>(
            std::clamp<std::int64_t>(fields[3][i], 0, std::int64_t(ActionKind::AllReduce)));
        span.batch = std::int32_t(fields[4][i]);
        span.microbatch = std::int32_t(fields[5][i]);
        span.version = std::int32_t(fields[6][i]);
        span.start = (*start)[i];
        span.end = (*end)[i];
        spans.push_back(span);
    }
    return {};
}

struct BlockBounds {
    std::int32_t firstBatch, lastBatch;
    double firstTime, lastTime, shortest, longest;
};

BlockBounds boundsOf(const std::vector<Span>& spans)
{
    const Span& first = spans.front();
    const double length = first.end - first.start;
    BlockBounds b { first.batch, first.batch, first.start, first.end, length, length };
    for (const Span& span : spans) {
        b.firstBatch = std::min(b.firstBatch, span.batch);
        b.lastBatch = std::max(b.lastBatch, span.batch);
        b.firstTime = std::min(b.firstTime, span.start);
        b.lastTime = std::max(b.lastTime, span.end);
        b.shortest = std::min(b.shortest, span.end - span.start);
        b.longest = std::max(b.longest, span.end - span.start);
    }
    return b;
}

void writeBlock(SQLite::Database& db, RunId id, std::int64_t number, const std::vector<Span>& spans)
{
    SQLite::Statement insert(db,
        "INSERT OR REPLACE INTO span_blocks(run, block, spans, first_batch, last_batch, "
        "first_time, last_time, shortest, longest, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    const BlockBounds bounds = boundsOf(spans);
    insert.bind(1, id.value);
    insert.bind(2, number);
    insert.bind(3, std::int64_t(spans.size()));
    insert.bind(4, bounds.firstBatch);
    insert.bind(5, bounds.lastBatch);
    insert.bind(6, bounds.firstTime);
    insert.bind(7, bounds.lastTime);
    insert.bind(8, bounds.shortest);
    insert.bind(9, bounds.longest);
    const std::string blob = packed(spans);
    insert.bind(10, blob.data(), int(blob.size()));
    insert.exec();
}

constexpr sql::BlockForm<Span> kSpanBlocks { "spans",
    "SELECT block, spans, data FROM span_blocks WHERE run = ? ORDER BY block DESC LIMIT 1",
    kBlockSpans, unpack, writeBlock };

// Far above any run: what is beyond is damage, which must not decide how much memory is taken.
constexpr std::int64_t kMostWorkers = 4096, kMostMicrobatches = 1 << 20;

tl::unexpected<Error> damaged(const Database& database, RunId id, const std::string& what)
{
    return fail(ErrorKind::Invalid, "the trace of run {} in {} is damaged: {}", id.value,
        database.file().string(), what);
}

// What begin() wrote; zeros for a run that has no trace yet, or whose store was rescued without it.
Result<Trace> emptyTrace(const Database& database, RunId id)
{
    Trace trace;
    trace.timeUnit = "s";
    SQLite::Statement query(
        database.raw(), "SELECT devices, stages, microbatches FROM trace_info WHERE run = ?");
    query.bind(1, id.value);
    if (!query.executeStep())
        return trace;
    const std::int64_t devices = query.getColumn(0).getInt64(),
                       stages = query.getColumn(1).getInt64(),
                       microbatches = query.getColumn(2).getInt64();
    if (devices < 1 || devices > kMostWorkers || stages < 1 || stages > kMostWorkers
        || microbatches < 1 || microbatches > kMostMicrobatches)
        return damaged(database, id,
            fmt::format("it says {} devices, {} stages and {} microbatches", devices, stages,
                microbatches));
    trace.devices = int(devices);
    trace.stages = int(stages);
    trace.microbatches = int(microbatches);
    return trace;
}

// A rescued store may have the spans alone: then they say what they were recorded for.
void completeShape(Trace& trace)
{
    std::map<std::int32_t, std::set<std::int32_t>> ofBatch;
    for (const Span& span : trace.spans) {
        trace.devices = std::max(trace.devices, span.device + 1);
        trace.stages = std::max(trace.stages, span.stage + 1);
        if (span.kind == ActionKind::Forward && span.stage == 0)
            ofBatch[span.batch].insert(span.microbatch);
    }
    trace.microbatches = 1;
    for (const auto& [batch, microbatches] : ofBatch)
        trace.microbatches = std::max(trace.microbatches, int(microbatches.size()));
}

Status checkSpans(const Database& database, RunId id, const Trace& trace)
{
    const std::int64_t devices = trace.devices > 0 ? trace.devices : kMostWorkers,
                       stages = trace.stages > 0 ? trace.stages : kMostWorkers;
    for (const Span& span : trace.spans)
        if (span.device < 0 || span.device >= devices || span.stage < 0 || span.stage >= stages
            || !std::isfinite(span.start) || !std::isfinite(span.end) || span.end < span.start)
            return damaged(database, id,
                fmt::format("a span of batch {} lies on device {}, stage {}, from {:.6g} to {:.6g} "
                            "s, and the run had {} devices and {} stages",
                    span.batch, span.device, span.stage, span.start, span.end, trace.devices,
                    trace.stages));
    return {};
}

struct Extent {
    std::size_t blocks = 0, spans = 0;
};

// Of all blocks that reach into the batches: what reading them takes in.
Extent extentOf(SQLite::Database& db, RunId id, int firstBatch, int lastBatch)
{
    SQLite::Statement query(db,
        "SELECT count(*), coalesce(sum(spans), 0) FROM span_blocks WHERE run = ? "
        "AND last_batch >= ? AND first_batch <= ?");
    query.bind(1, id.value);
    query.bind(2, firstBatch);
    query.bind(3, lastBatch);
    query.executeStep();
    return { std::size_t(query.getColumn(0).getInt64()),
        std::size_t(query.getColumn(1).getInt64()) };
}

void sortSpans(std::vector<Span>& spans)
{
    std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return a.device != b.device ? a.device < b.device : a.start < b.start;
    });
}

} // namespace

Status TraceStore::begin(RunId id, int devices, int stages, int microbatches)
{
    return sql::write(m_database, [&]() -> Status {
        SQLite::Statement insert(m_database.raw(),
            "INSERT OR REPLACE INTO trace_info(run, devices, stages, microbatches) "
            "VALUES (?, ?, ?, ?)");
        insert.bind(1, id.value);
        insert.bind(2, devices);
        insert.bind(3, stages);
        insert.bind(4, microbatches);
        insert.exec();
        return {};
    });
}

Status TraceStore::append(RunId id, const std::vector<Span>& spans)
{
    return sql::appendItems(m_database, id, kSpanBlocks, spans);
}

Result<Trace> TraceStore::read(RunId id) const
{
    return read(id, {});
}

Result<Trace> TraceStore::read(RunId id, const Progress& progress) const
{
    return readBatches(
        id, std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), progress);
}

Result<Trace> TraceStore::readBatches(RunId id, int firstBatch, int lastBatch) const
{
    return readBatches(id, firstBatch, lastBatch, {});
}

Result<Trace> TraceStore::readBatches(
    RunId id, int firstBatch, int lastBatch, const Progress& progress) const
{
    return sql::guarded(m_database, [&]() -> Result<Trace> {
        SQLite::Database& db = m_database.raw();
        Result<Trace> opened = emptyTrace(m_database, id);
        if (!opened)
            return opened;
        Trace& trace = *opened;
        const auto [blocks, all] = extentOf(db, id, firstBatch, lastBatch);
        // Growing by doubling would hold a large trace three times; a damaged count reserves
        // little.
        trace.spans.reserve(std::min(all, blocks * kBlockSpans));
        SQLite::Statement query(db,
            "SELECT block, spans, data FROM span_blocks WHERE run = ? AND last_batch >= ? "
            "AND first_batch <= ? ORDER BY block");
        query.bind(1, id.value);
        query.bind(2, firstBatch);
        query.bind(3, lastBatch);
        while (query.executeStep()) {
            if (const Status status
                = sql::unpackRow(m_database, query, id, kSpanBlocks, trace.spans);
                !status)
                return failure(status);
            if (progress && !progress(trace.spans.size(), all))
                return fail(ErrorKind::Cancelled,
                    "Reading the trace of run {} was stopped after {} of {} spans.", id.value,
                    trace.spans.size(), all);
        }
        std::erase_if(trace.spans,
            [&](const Span& s) { return s.batch < firstBatch || s.batch > lastBatch; });
        if (const Status whole = checkSpans(m_database, id, trace); !whole)
            return failure(whole);
        if (trace.stages == 0 && !trace.spans.empty())
            completeShape(trace);
        sortSpans(trace.spans);
        return opened;
    });
}

Result<int> TraceStore::lastBatch(RunId id) const
{
    return sql::guarded(m_database, [&]() -> Result<int> {
        SQLite::Statement query(m_database.raw(),
            "SELECT coalesce(max(last_batch), -1) FROM span_blocks WHERE run = ?");
        query.bind(1, id.value);
        query.executeStep();
        return query.getColumn(0).getInt();
    });
}

} // namespace stageloom
