// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/model.h"
#include "engine/nn/blocks/attention.h"
#include "engine/nn/blocks/row_ops.h"
#include "engine/nn/layer.h"

namespace stageloom::engine {

// What the layers of a GPT-2 are made from. Dropout is not applied: training is deterministic.
struct Gpt2Shape {
    std::int64_t hidden = 0, ffn = 0, layers = 0, vocab = 0, positions = 0;
    AttentionShape attention;
    Activation activation = Activation::GeluTanh;
    double normEpsilon = 1e-5;
    // Of every N(0, std), positions included, as Hugging Face starts a GPT-2 (its
    // "initializer_range").
    double initStd = 0.02;
    bool tiedHead = true;
};

std::unique_ptr<Layer> makeGpt2Embedding(const Gpt2Shape& shape);
std::unique_ptr<Layer> makeGpt2Block(const Gpt2Shape& shape, std::int64_t index);
std::unique_ptr<Layer> makeGpt2Norm(const Gpt2Shape& shape);
std::unique_ptr<Layer> makeGpt2Head(const Gpt2Shape& shape);
// Of a model whose sizes are checked: its layer of that index.
std::unique_ptr<Layer> makeGpt2Layer(const Model& model, int index);

} // namespace stageloom::engine
