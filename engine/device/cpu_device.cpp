// SPDX-License-Identifier: Apache-2.0
#include "engine/device/device.h"

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

} // namespace stageloom::engine
