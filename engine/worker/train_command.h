// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include <filesystem>

namespace stageloom::engine {

struct TrainPlace {
    std::filesystem::path folder; // request.json, lock, socket
    std::filesystem::path store;
    RunId run;
};

// One training run from its request to its last row. An error is also the run's failure in the
// store.
Status trainRun(const TrainPlace& place);

} // namespace stageloom::engine
