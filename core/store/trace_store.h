// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/sim/trace.h"
#include "core/store/database.h"
#include <functional>

namespace stageloom {

// Spans as compressed column blocks, a few thousand a block, each with batch and time bounds.
class TraceStore {
public:
    explicit TraceStore(Database& database)
        : m_database(database)
    {
    }
    Status begin(RunId id, int devices, int stages, int microbatches);
    Status append(RunId id, const std::vector<Span>& spans);
    Result<Trace> read(RunId id) const;
    // Asked after every block, on the reading thread; false ends the reading with
    // ErrorKind::Cancelled.
    using Progress = std::function<bool(std::size_t readSpans, std::size_t allSpans)>;
    Result<Trace> read(RunId id, const Progress& progress) const;
    Result<Trace> readBatches(RunId id, int firstBatch, int lastBatch) const; // inclusive
    Result<int> lastBatch(RunId id) const;

private:
    Result<Trace> readBatches(
        RunId id, int firstBatch, int lastBatch, const Progress& progress) const;
    Database& m_database;
};

} // namespace stageloom
