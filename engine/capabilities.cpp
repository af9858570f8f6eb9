// SPDX-License-Identifier: Apache-2.0
#include "engine/capabilities.h"

#include "core/plan/optimizer_json.h"
#include "core/schedule/registry.h"
#include "engine/device/device.h"
#include "engine/nn/build_stage.h"
#include <torch/csrc/api/include/torch/version.h>

namespace stageloom::engine {

namespace {

EngineCapabilities made()
{
    EngineCapabilities c;
    c.version = STAGELOOM_VERSION;
    c.libtorch = TORCH_VERSION;
    for (const TrainedFamily& family : trainedFamilies())
        c.families.emplace_back(family.name);
    c.activations = { "gelu_new", "gelu_pytorch_tanh", "gelu_fast", "gelu" };
    c.dtypes = { toString(Dtype::Fp32) };
    for (const OptimizerKind kind :
        { OptimizerKind::Sgd, OptimizerKind::Adam, OptimizerKind::AdamW })
        c.optimizers.push_back(toString(kind));
    c.schedules = scheduleNames(); // any list that is proven is carried out
    c.compressions = { "none" };
    for (const DeviceKind kind : { DeviceKind::CpuWorker, DeviceKind::Gpu }) {
        Device device;
        device.kind = kind;
        if (openDevice(device)) // the back ends of this build
            c.deviceKinds.push_back(toString(kind));
    }
    c.maxWidth = 1;
    c.smallestVocabulary = 256; // text is read byte by byte
    c.maxActions = 50'000'000; // 16 bytes each
    c.evaluates = true;
    return c;
}

} // namespace

const EngineCapabilities& engineCapabilities()
{
    static const EngineCapabilities capabilities = made();
    return capabilities;
}

} // namespace stageloom::engine
