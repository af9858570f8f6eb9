// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/layer.h"

namespace stageloom::engine {

struct AttentionShape {
    std::int64_t heads = 0, headDim = 0;
    double scale = 1; // of the scores, before the softmax
    [[nodiscard]] std::int64_t width() const { return heads * headDim; }
};

struct AttentionForward {
    at::Tensor output; // [rows, width]
    at::Tensor logSumExp; // [batch, heads, seq]; all the backward needs of the scores
};

// Causal self-attention over `qkv` [batch·seq, 3·width]: queries, keys and values side by side,
// read in place.
AttentionForward attention(const at::Tensor& qkv, std::int64_t batch, const AttentionShape& shape);

struct AttentionBackward {
    at::Tensor query, key, value; // [rows, width] each
};

AttentionBackward attentionBackward(const at::Tensor& gradOutput, const at::Tensor& qkv,
    const AttentionForward& forward, std::int64_t batch, const AttentionShape& shape);

} // namespace stageloom::engine
