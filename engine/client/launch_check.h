// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/train_request.h"

namespace stageloom {

// What would fail in the first moment of a run and can be known before it: text that is not there,
// cannot be read or is empty; a plan that is unsound or beyond what the engine trains. launchRun
// asks first, so that such a mistake leaves no run behind.
// The value: what the person who starts it should know, one sentence each.
Result<std::vector<std::string>> checkLaunch(const TrainRequest& request);

} // namespace stageloom
