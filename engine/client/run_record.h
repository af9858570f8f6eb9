// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/train_request.h"
#include "core/store/run_store.h"

namespace stageloom {

// The row and documents of a run that is started with `request`, for this machine; its folder and
// id are the caller's.
NewRun runRecord(const TrainRequest& request, const std::filesystem::path& engine);

} // namespace stageloom
