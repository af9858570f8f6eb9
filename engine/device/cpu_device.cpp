// SPDX-License-Identifier: Apache-2.0
#include "engine/device/device.h"

#include <malloc.h>

namespace stageloom::engine {

Result<at::Device> openDevice(const Device& device)
{
    return device.kind == DeviceKind::CpuWorker ? openCpuDevice(device) : openCudaDevice(device);
}

// Every CPU worker is a thread of its own; their tensors live in the one memory of the host.
Result<at::Device> openCpuDevice(const Device&)
{
    return at::Device(at::kCPU);
}

void configureComputeThread(int threads)
{
    at::set_num_threads(threads);
    at::globalContext().setFlushDenormal(true);
}

void configureAllocator()
{
    constexpr int kThreshold = 512 << 20; // bytes; above glibc's own dynamic limit of 32 MiB
    mallopt(M_MMAP_THRESHOLD, kThreshold);
    mallopt(M_TRIM_THRESHOLD, kThreshold);
}

} // namespace stageloom::engine
