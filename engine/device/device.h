// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/cluster/topology.h"
#include "engine/nn/aten.h"

namespace stageloom::engine {

// The tensor device that computes for a device of a plan. Each back end is one source file; of one
// that this build lacks, the answer is an error that names the build option.
Result<at::Device> openDevice(const Device& device);

// One a back end: cpu_device.cpp, no_cuda_device.cpp.
Result<at::Device> openCpuDevice(const Device& device);
Result<at::Device> openCudaDevice(const Device& device);

// First act of every thread that computes: its own number of intra-op threads (a new thread does
// not inherit it, and bits depend on it) and denormals flushed (second moments start tiny). The
// same for all threads of a process.
void configureComputeThread(int threads);

// Keeps freed tensors in the process instead of handing pages back; first thing in main().
void configureAllocator();

} // namespace stageloom::engine
