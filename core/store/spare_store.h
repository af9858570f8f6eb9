// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/run_store.h"
#include <vector>

namespace stageloom {

// Where a run is kept that its run store cannot take any more.
struct SparePlace {
    NewRun run; // with its id
    std::vector<std::filesystem::path> folders; // the first one that can be written
};

// A run store of its own, in a file that was not there before: a copy of what can still be read
// through `from`, with the run's row in any case. Commands read it with --store.
Result<Database> openSpare(const SparePlace& place, const Database& from);

} // namespace stageloom
