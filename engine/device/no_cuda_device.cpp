// SPDX-License-Identifier: Apache-2.0
#include "engine/device/device.h"

namespace stageloom::engine {

Result<at::Device> openCudaDevice(const Device& device)
{
    return fail(ErrorKind::Unsupported,
        "device {} ({}) needs the CUDA back end, and this engine was built without (build option "
        "STAGELOOM_CUDA)",
        device.index, device.name);
}

} // namespace stageloom::engine
