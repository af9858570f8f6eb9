// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/sim/trace.h"
#include "core/store/database.h"

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
    Result<Trace> readBatches(RunId id, int firstBatch, int lastBatch) const; // inclusive
    Result<int> lastBatch(RunId id) const;

private:
    Database& m_database;
};

} // namespace stageloom
