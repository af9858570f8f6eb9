// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/aten.h"

namespace stageloom::engine {

// Held by every function that calls ATen operators: gradients are our own, so neither a graph is
// recorded nor the autograd layer of the dispatcher entered. Grad mode belongs to the thread, and a
// layer may run on any.
struct BelowAutograd {
    at::NoGradGuard noGrad;
    at::AutoDispatchBelowADInplaceOrView below;
};

} // namespace stageloom::engine
