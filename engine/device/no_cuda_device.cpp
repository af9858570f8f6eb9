// SPDX-License-Identifier: Apache-2.0
#include "engine/device/device.h"

namespace stageloom::engine {

Result<at::Device> openCudaDevice(const Device& device)
{
    return fail(ErrorKind::Unsupported,
        "device {} ({}) is a GPU, and this engine was built without the CUDA back end (build "
        "option STAGELOOM_CUDA): plan for CPU workers, --topology cpu:K, to train here",
        device.index, device.name);
}

} // namespace stageloom::engine
