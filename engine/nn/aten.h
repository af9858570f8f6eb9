// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine's only door to LibTorch: ATen and the narrow autograd headers, precompiled
// (torch/torch.h would double every compile). Private to engine/.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/grad_mode.h>

namespace stageloom::engine {

// Held by every function that calls ATen operators: gradients are our own, so neither a graph is
// recorded nor the autograd layer of the dispatcher entered. Grad mode belongs to the thread, and a
// layer may run on any.
struct BelowAutograd {
    at::NoGradGuard noGrad;
    at::AutoDispatchBelowADInplaceOrView below;
};

} // namespace stageloom::engine
