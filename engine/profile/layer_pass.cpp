// SPDX-License-Identifier: Apache-2.0
#include "engine/profile/layer_pass.h"

#include "engine/optim/grad_norm.h"
#include <chrono>

namespace stageloom::engine {

namespace {
class Stopwatch {
public:
    double lap()
    {
        const auto now = std::chrono::steady_clock::now();
        return std::chrono::duration<double>(now - std::exchange(m_last, now)).count();
    }

private:
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
};
}

Result<std::unique_ptr<LayerPass>> LayerPass::create(
    const Model& model, const OptimizerSettings& settings, int microbatchSize, std::int64_t seq)
{
    auto pass = std::make_unique<LayerPass>();
    for (int i = 0; i < static_cast<int>(model.layers.size()); ++i) {
        auto module = buildStage(model, i, i);
        if (!module)
            return failure(module);
        LayerState layer;
        layer.module = std::move(*module);
        // Two buffers, as 2BW has: updates write where nothing was read lately.
        layer.versions = std::make_unique<WeightVersions>(*layer.module, 2);
        initialize(*layer.module, layer.versions->flat(0), 1);
        layer.optimizer = makeOptimizer(settings, *layer.module);
        layer.gradient = at::zeros({ layer.module->flatElements() }, at::kFloat);
        layer.gradientViews = layer.module->views(layer.gradient);
        pass->m_parameters += layer.module->flatElements();
        pass->m_layers.push_back(std::move(layer));
    }
    const std::int64_t vocabulary = model.shape.vocab;
    pass->m_data.tokens = at::arange(microbatchSize * seq, at::kLong)
                              .mul(7919)
                              .remainder(vocabulary)
                              .view({ microbatchSize, seq });
    pass->m_data.targets = pass->m_data.tokens.roll(-1, 1).contiguous();
    return pass;
}

PassTimes LayerPass::run()
{
    PassTimes times;
    std::vector<StageStash> stashes(m_layers.size());
    at::Tensor value;
    Stopwatch watch;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        const LayerState& layer = m_layers[i];
        stashes[i].data = m_data;
        value = layer.module->forward(
            layer.versions->weights(layer.versions->newest()), value, stashes[i]);
        times.forward.push_back(watch.lap());
    }
    times.backward.resize(m_layers.size());
    at::Tensor gradient;
    watch.lap();
    for (std::size_t i = m_layers.size(); i-- > 0;) {
        const LayerState& layer = m_layers[i];
        gradient = layer.module->backward(layer.versions->weights(layer.versions->newest()),
            layer.gradientViews, gradient, stashes[i]);
        stashes[i] = {};
        times.backward[i] = watch.lap();
    }
    times.updatePerParameter = update() / static_cast<double>(m_parameters);
    return times;
}

double LayerPass::update()
{
    Stopwatch watch;
    UpdateInput input;
    input.step = ++m_step;
    input.learningRate = 0; // the time is the same, and the weights stay what they are
    for (LayerState& layer : m_layers) {
        (void)squaredNormsOfSlots(*layer.module, layer.gradient);
        layer.versions->update(*layer.optimizer, layer.gradient, input);
    }
    return watch.lap();
}

} // namespace stageloom::engine
