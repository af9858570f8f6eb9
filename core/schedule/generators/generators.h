// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/schedule.h"

namespace stageloom::generators {

// Orders from numbers alone: d workers with one stage each, m microbatches a batch, n batches. No
// name, no versions, no rule checked: those are the table's and the verifier's part (registry.cpp
// has the rows).
Schedule gpipe(int d, int m, int n);
Schedule oneForwardOneBackward(int d, int m, int n);
Schedule pipedream(int d, int m, int n);
Schedule twoBw(int d, int m, int n);

// An empty schedule of d workers with one stage each.
Schedule straight(int d, int m, int n);
Action forward(int stage, int microbatch);
Action backward(int stage, int microbatch);
Action update(int stage, int batch);

} // namespace stageloom::generators
