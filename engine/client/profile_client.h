// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include <chrono>
#include <functional>

namespace stageloom {

// Times each layer of the plan's model for its microbatch size on this machine, in an engine
// process. `progress` gets a fraction several times a second; false stops it (Cancelled). An engine
// that neither says nor computes anything for five minutes, or `silence`, is ended.
Result<Profile> profileModel(const Plan& plan, std::function<bool(double)> progress = {});
Result<Profile> profileModelWithin(std::chrono::milliseconds silence, const Plan& plan,
    const std::function<bool(double)>& progress = {});

} // namespace stageloom
