// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/layer.h"

namespace stageloom::engine {

// Where each parameter of a stage lies in its flat buffers (weights, gradients, optimizer state
// alike).
struct ParameterSlot {
    ParameterSpec spec;
    std::int64_t offset = 0; // elements, 16-element aligned
    int layer = 0; // index within the stage
};

// What one microbatch in flight keeps on a stage.
struct StageStash {
    at::Tensor input; // kept for recompute and handed to the layers' backward
    MicrobatchData data;
    std::vector<Stash> layers; // empty while dropped (recompute)
};

// The layers of one stage (in order) as one function of a flat weight buffer. Shared by all
// microbatches and versions; immutable.
class StageModule {
public:
    explicit StageModule(std::vector<std::unique_ptr<Layer>> layers);

    [[nodiscard]] const std::vector<ParameterSlot>& slots() const { return m_slots; }
    [[nodiscard]] std::int64_t flatElements() const { return m_flatElements; } // padding included
    [[nodiscard]] std::vector<at::Tensor> views(const at::Tensor& flat) const; // in slots() order
    [[nodiscard]] std::size_t layerCount() const { return m_layers.size(); }
    [[nodiscard]] const Layer& layer(std::size_t i) const { return *m_layers[i]; }
    // Views of layer i out of views().
    [[nodiscard]] Tensors ofLayer(const std::vector<at::Tensor>& views, std::size_t i) const;

    at::Tensor forward(
        const std::vector<at::Tensor>& weights, const at::Tensor& input, StageStash& stash) const;
    // Drops everything but the input; `recompute` makes it again with the same weights.
    static void dropForRecompute(StageStash& stash) { stash.layers.clear(); }
    at::Tensor recompute(const std::vector<at::Tensor>& weights, StageStash& stash) const;
    // Forward that keeps only the input, one layer's stash alive at a time: for stages that
    // recompute and for evaluation (there, drop the stash afterwards).
    at::Tensor forwardDropping(
        const std::vector<at::Tensor>& weights, const at::Tensor& input, StageStash& stash) const;
    // Whole backward: gradient of the stage's input (undefined on the first stage); weight
    // gradients are added.
    at::Tensor backward(const std::vector<at::Tensor>& weights,
        const std::vector<at::Tensor>& gradients, const at::Tensor& gradOutput,
        StageStash& stash) const;
    // The two halves, for zero-bubble schedules.
    at::Tensor backwardInput(const std::vector<at::Tensor>& weights, const at::Tensor& gradOutput,
        StageStash& stash) const;
    void backwardWeight(const std::vector<at::Tensor>& gradients, StageStash& stash) const;

private:
    std::vector<std::unique_ptr<Layer>> m_layers;
    std::vector<std::size_t>
        m_firstSlot; // of each layer; a tied head's is its owner's, if that is here
    std::vector<ParameterSlot> m_slots;
    std::int64_t m_flatElements = 0;
};

} // namespace stageloom::engine
