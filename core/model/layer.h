// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace stageloom {

enum class LayerKind { Embedding, Block, Norm, Head };
std::string toString(LayerKind kind);

// One unit that a stage border can separate. Numbers are per sample at the model's `seq` and
// `dtype`; FLOPs count a multiply-add as 2 and causal attention as half; a tied layer owns 0
// parameters.
struct Layer {
    std::string name; // "embedding", "block 0" … "norm", "head"
    LayerKind kind = LayerKind::Block;
    std::int64_t parameters = 0;
    std::int64_t activeParameters = 0; // differs from `parameters` for mixture-of-experts layers
    double forwardFlops = 0;
    double outputBytes = 0; // what the next layer receives
    double stashBytes = 0; // what forward keeps for backward, its own input included
    std::string tiedTo; // name of the layer whose weight this one uses; empty: none
    std::int64_t tiedParameters
        = 0; // elements of the weight it shares (a second copy where stages differ)
};

} // namespace stageloom
