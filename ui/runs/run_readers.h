// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_comparison.h"
#include "ui/runs/run_timeline.h"

namespace stageloom {

// What RunComparison reads, each with a connection of its own: any thread, may take seconds.
using StoreFile = std::filesystem::path;
Result<std::vector<RunCurve>> readCurves(
    const StoreFile& store, const std::vector<RunId>& ids, RunMetric metric);
Result<PlanComparison> readPlans(const StoreFile& store, const std::vector<RunId>& ids);
Result<RunTraces> readTraces(const StoreFile& store, RunId base, RunId other);
Result<RunTimelineParts> readTimeline(const StoreFile& store, RunId id, TraceReading& reading);
Result<RunDetails> readDetails(const StoreFile& store, RunId id);
Result<TrainRequest> readRequest(const StoreFile& store, RunId id);
Status writeExport(const StoreFile& store, const std::vector<RunId>& ids, ExportForm form,
    const std::filesystem::path& file);

} // namespace stageloom
