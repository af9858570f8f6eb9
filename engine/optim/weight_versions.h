// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/optim/optimizer.h"

namespace stageloom::engine {

// The weight versions of one stage: as many flat buffers as versions are ever alive at once (2BW:
// two, flush: one), one set of optimizer state. Version 0 starts as zeros for the caller to fill
// (initialize(stage, flat(0), seed)). Owned by the stage's thread.
class WeightVersions {
public:
    // `options`: dtype and device of the buffers.
    WeightVersions(
        const StageModule& stage, int buffers, const at::TensorOptions& options = at::kFloat);

    [[nodiscard]] int newest() const { return m_newest; }
    [[nodiscard]] bool alive(int version) const;
    // Views of a living version; asking for a dead or unmade one is a broken invariant.
    [[nodiscard]] const std::vector<at::Tensor>& weights(int version) const;
    [[nodiscard]] const at::Tensor& flat(int version) const;
    // Makes version newest()+1 out of newest() in the buffer of the oldest version, which dies.
    void update(Optimizer& optimizer, at::Tensor& gradient, const UpdateInput& input);
    // Makes version newest()+1 the same as newest(), in the same buffer.
    void repeat();

private:
    struct Buffer {
        at::Tensor flat;
        std::vector<at::Tensor> views;
        int version = -1; // the newest that it holds; -1: none yet
        int first = -1; // the oldest: all from here on are the same weights
    };
    [[nodiscard]] const Buffer* find(int version) const;

    std::vector<Buffer> m_buffers;
    int m_newest = 0;
};

} // namespace stageloom::engine
