// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/stage_module.h"

#include "core/base/check.h"

#include <algorithm>

namespace stageloom::engine {

namespace {

// One cache line of floats: views start where a vector load does.
constexpr std::int64_t kAlignment = 16;

} // namespace

std::int64_t ParameterSpec::elements() const
{
    std::int64_t product = 1;
    for (const auto size : shape)
        product *= size;
    return product;
}

StageModule::StageModule(std::vector<std::unique_ptr<Layer>> layers)
    : m_layers(std::move(layers))
{
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        const auto& parameters = m_layers[i]->parameters();
        const auto owner = std::find_if(m_slots.begin(), m_slots.end(), [&](const auto& slot) {
            return parameters.size() == 1 && slot.spec.name == parameters[0].tiedTo;
        });
        if (owner != m_slots.end()) { // tied to a matrix of this very stage: the same view
            STAGELOOM_CHECK(
                owner->spec.shape == parameters[0].shape, "tied weights differ in shape");
            m_firstSlot.push_back(static_cast<std::size_t>(owner - m_slots.begin()));
            continue;
        }
        m_firstSlot.push_back(m_slots.size());
        for (const auto& spec : parameters) {
            m_slots.push_back({ spec, m_flatElements, static_cast<int>(i) });
            m_flatElements += (spec.elements() + kAlignment - 1) / kAlignment * kAlignment;
        }
    }
}

std::vector<at::Tensor> StageModule::views(const at::Tensor& flat) const
{
    STAGELOOM_CHECK(flat.dim() == 1 && flat.numel() == m_flatElements && flat.is_contiguous(),
        "a flat buffer has another size than its stage");
    std::vector<at::Tensor> result;
    result.reserve(m_slots.size());
    for (const auto& slot : m_slots)
        result.push_back(flat.narrow(0, slot.offset, slot.spec.elements()).view(slot.spec.shape));
    return result;
}

Tensors StageModule::ofLayer(const std::vector<at::Tensor>& views, std::size_t i) const
{
    STAGELOOM_CHECK(views.size() == m_slots.size(), "the views are not this stage's");
    return Tensors(views).subspan(m_firstSlot[i], m_layers[i]->parameters().size());
}

at::Tensor StageModule::forward(
    const std::vector<at::Tensor>& weights, const at::Tensor& input, StageStash& stash) const
{
    stash.input = input;
    return recompute(weights, stash);
}

at::Tensor StageModule::recompute(const std::vector<at::Tensor>& weights, StageStash& stash) const
{
    stash.layers.assign(m_layers.size(), {});
    auto x = stash.input;
    for (std::size_t i = 0; i < m_layers.size(); ++i)
        x = m_layers[i]->forward(ofLayer(weights, i), x, stash.layers[i], stash.data);
    return x;
}

at::Tensor StageModule::forwardDropping(
    const std::vector<at::Tensor>& weights, const at::Tensor& input, StageStash& stash) const
{
    stash.input = input;
    stash.layers.clear();
    auto x = input;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        Stash dropped;
        x = m_layers[i]->forward(ofLayer(weights, i), x, dropped, stash.data);
    }
    return x;
}

at::Tensor StageModule::backward(const std::vector<at::Tensor>& weights,
    const std::vector<at::Tensor>& gradients, const at::Tensor& gradOutput, StageStash& stash) const
{
    STAGELOOM_CHECK(stash.layers.size() == m_layers.size(), "backward without its forward");
    stash.input.reset();
    auto gradient = gradOutput;
    for (std::size_t i = m_layers.size(); i-- > 0;) {
        auto& kept = stash.layers[i];
        gradient = m_layers[i]->backwardInput(ofLayer(weights, i), gradient, kept, stash.data);
        m_layers[i]->backwardWeight(ofLayer(gradients, i), kept, stash.data);
    }
    stash.layers.clear();
    return gradient;
}

at::Tensor StageModule::backwardInput(
    const std::vector<at::Tensor>& weights, const at::Tensor& gradOutput, StageStash& stash) const
{
    STAGELOOM_CHECK(stash.layers.size() == m_layers.size(), "backward without its forward");
    stash.input.reset();
    auto gradient = gradOutput;
    for (std::size_t i = m_layers.size(); i-- > 0;)
        gradient = m_layers[i]->backwardInput(
            ofLayer(weights, i), gradient, stash.layers[i], stash.data);
    return gradient;
}

void StageModule::backwardWeight(const std::vector<at::Tensor>& gradients, StageStash& stash) const
{
    STAGELOOM_CHECK(stash.layers.size() == m_layers.size(), "weight gradients without the input's");
    for (std::size_t i = m_layers.size(); i-- > 0;)
        m_layers[i]->backwardWeight(ofLayer(gradients, i), stash.layers[i], stash.data);
    stash.layers.clear();
}

} // namespace stageloom::engine
