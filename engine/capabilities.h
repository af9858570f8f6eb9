// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/trainable.h"

namespace stageloom::engine {

// What this build of the engine trains, in the one place that says it: the refusals of a launch, of
// a run and of a stage that cannot be built all follow from here.
const EngineCapabilities& engineCapabilities();

} // namespace stageloom::engine
