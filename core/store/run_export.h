// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/text.h"
#include "core/store/run_store.h"
#include <string>
#include <vector>

namespace stageloom {

// One element of `runs list --json` (contract.md).
Json rowDocument(const RunRow& row);

// What `runs export` and the window write. One run: its own columns or record; several: a first
// column "run", or {"runs": […]}, or one process a run in the Chrome trace.
// Nothing is written where a run is missing; a trace is in memory one run at a time, its text
// never.
Status writeMetricsCsv(Database& database, const std::vector<RunId>& ids, const TextSink& sink);
Status writeRunsJson(Database& database, const std::vector<RunId>& ids, const TextSink& sink);
Status writeRunsChromeTrace(
    Database& database, const std::vector<RunId>& ids, const TextSink& sink);

} // namespace stageloom
