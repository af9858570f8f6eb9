// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_comparison.h"
#include "ui/runs/run_timeline.h"

namespace stageloom {

// What RunComparison reads, each with a connection of its own: any thread, may take seconds.
using StoreFile = std::filesystem::path;
struct KnownPoints {
    RunId id;
    std::int64_t from = 0; // the last step known; 0: none
};
Result<std::vector<RunPoints>> readPoints(
    const StoreFile& store, const std::vector<KnownPoints>& asked);
Result<PlanComparison> readPlans(const StoreFile& store, const std::vector<RunId>& ids);
Result<RunTraces> readTraces(
    const StoreFile& store, RunId base, RunId other, TraceReading& reading);
Result<RunTimelineParts> readTimeline(const StoreFile& store, RunId id, TraceReading& reading);
// `knownLines` of its log and all that does not change are known; none: nothing is.
Result<RunDetails> readDetails(
    const StoreFile& store, RunId id, std::optional<std::size_t> knownLines);
Result<TrainRequest> readRequest(const StoreFile& store, RunId id);
Status writeExport(const StoreFile& store, const std::vector<RunId>& ids, ExportForm form,
    const std::filesystem::path& file, ExportWriting& writing);

} // namespace stageloom
