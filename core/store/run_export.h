// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/run_store.h"
#include <string>
#include <vector>

namespace stageloom {

// One element of `runs list --json` (contract.md).
Json rowDocument(const RunRow& row);

// What `runs export` and the window write. One run: its own columns or record; several: a first
// column "run", or {"runs": […]}, or one process a run in the Chrome trace.
Result<std::string> metricsCsv(Database& database, const std::vector<RunId>& ids);
Result<std::string> runsJson(Database& database, const std::vector<RunId>& ids);
Result<std::string> runsChromeTrace(Database& database, const std::vector<RunId>& ids);

} // namespace stageloom
