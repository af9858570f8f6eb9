// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/optim/weight_versions.h"

namespace stageloom::engine {

struct PassTimes {
    std::vector<double> forward, backward; // seconds, by layer
    double updatePerParameter = 0; // seconds; norm and optimizer step
};

// One microbatch through a whole model, layer by layer, with a stopwatch between the layers. One
// thread.
class LayerPass {
public:
    static Result<std::unique_ptr<LayerPass>> create(const Model& model,
        const OptimizerSettings& settings, int microbatchSize, std::int64_t seq);
    PassTimes run();

private:
    struct LayerState {
        std::unique_ptr<StageModule> module; // of this layer alone
        std::unique_ptr<WeightVersions> versions;
        std::unique_ptr<Optimizer> optimizer;
        at::Tensor gradient; // flat
        std::vector<at::Tensor> gradientViews;
    };
    double update();

    std::vector<LayerState> m_layers;
    MicrobatchData m_data;
    std::int64_t m_parameters = 0;
    std::int64_t m_step = 0;
};

} // namespace stageloom::engine
