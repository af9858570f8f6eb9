// SPDX-License-Identifier: Apache-2.0
#include "core/store/trace_store.h"
#include "core/store/column_block.h"
#include "core/store/sql.h"

#include <algorithm>

namespace stageloom {

namespace {

constexpr std::size_t kBlockSpans = 2048; // a block that is not full takes the next spans in

template <typename Field>
std::vector<std::int64_t> column(const std::vector<Span>& spans, Field field)
{
    std::vector<std::int64_t> values;
    values.reserve(spans.size());
    for (const Span& span : spans)
        values.push_back(std::int64_t(span.*field));
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
    block.integers(column(spans, &Span::chunk));
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
        span.chunk = std::uint8_t(fields[2][i]);
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

Status unpackRow(const SQLite::Statement& query, RunId id, std::vector<Span>& spans)
{
    const SQLite::Column data = query.getColumn(2);
    const Status status
        = unpack({ static_cast<const char*>(data.getBlob()), std::size_t(data.getBytes()) },
            std::size_t(query.getColumn(1).getInt64()), spans);
    if (!status)
        return fail(ErrorKind::Invalid, "spans of run {}, block {}: {}", id.value,
            query.getColumn(0).getInt64(), status.error().message);
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
    SQLite::Statement insert(
        db, "INSERT OR REPLACE INTO span_blocks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
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

// What begin() wrote; zeros for a run that has no trace yet.
Trace emptyTrace(SQLite::Database& db, RunId id)
{
    Trace trace;
    trace.timeUnit = "s";
    SQLite::Statement query(
        db, "SELECT devices, stages, microbatches FROM trace_info WHERE run = ?");
    query.bind(1, id.value);
    if (query.executeStep()) {
        trace.devices = query.getColumn(0).getInt();
        trace.stages = query.getColumn(1).getInt();
        trace.microbatches = query.getColumn(2).getInt();
    }
    return trace;
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
        SQLite::Statement insert(
            m_database.raw(), "INSERT OR REPLACE INTO trace_info VALUES (?, ?, ?, ?)");
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
    if (spans.empty())
        return {};
    return sql::write(m_database, [&]() -> Status {
        SQLite::Database& db = m_database.raw();
        SQLite::Statement last(db,
            "SELECT block, spans, data FROM span_blocks WHERE run = ? ORDER BY block DESC LIMIT 1");
        last.bind(1, id.value);
        std::int64_t number = 0;
        std::vector<Span> block;
        if (last.executeStep()) {
            number = last.getColumn(0).getInt64();
            if (std::size_t(last.getColumn(1).getInt64()) >= kBlockSpans)
                ++number;
            else if (const Status status = unpackRow(last, id, block); !status)
                return status;
        }
        for (const Span& span : spans) {
            block.push_back(span);
            if (block.size() == kBlockSpans) {
                writeBlock(db, id, number++, block);
                block.clear();
            }
        }
        if (!block.empty())
            writeBlock(db, id, number, block);
        return {};
    });
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
        Trace trace = emptyTrace(db, id);
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
            if (const Status status = unpackRow(query, id, trace.spans); !status)
                return failure(status);
            if (progress && !progress(trace.spans.size(), all))
                return fail(ErrorKind::Cancelled,
                    "Reading the trace of run {} was stopped after {} of {} spans.", id.value,
                    trace.spans.size(), all);
        }
        std::erase_if(trace.spans,
            [&](const Span& s) { return s.batch < firstBatch || s.batch > lastBatch; });
        sortSpans(trace.spans);
        return trace;
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
