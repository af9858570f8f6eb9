// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/prediction.h"

namespace stageloom {

// The predicted bubble between filling and draining, 0…1, as a run's is measured; with too few
// batches for a steady state, that of the whole prediction.
double steadyBubble(const Prediction& prediction);

} // namespace stageloom
