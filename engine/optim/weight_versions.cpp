// SPDX-License-Identifier: Apache-2.0
#include "engine/optim/weight_versions.h"

#include "core/base/check.h"

#include <algorithm>

namespace stageloom::engine {

WeightVersions::WeightVersions(
    const StageModule& stage, int buffers, const at::TensorOptions& options)
{
    STAGELOOM_CHECK(buffers >= 1, "a stage without a weight buffer");
    for (int i = 0; i < buffers; ++i) {
        auto flat = at::zeros({ stage.flatElements() }, options);
        auto views = stage.views(flat);
        m_buffers.push_back(
            { std::move(flat), std::move(views), i == 0 ? 0 : -1, i == 0 ? 0 : -1 });
    }
}

const WeightVersions::Buffer* WeightVersions::find(int version) const
{
    const auto it = std::find_if(m_buffers.begin(), m_buffers.end(), [&](const Buffer& buffer) {
        return version >= 0 && buffer.first <= version && version <= buffer.version;
    });
    return it == m_buffers.end() ? nullptr : &*it;
}

bool WeightVersions::alive(int version) const
{
    return find(version) != nullptr;
}

const std::vector<at::Tensor>& WeightVersions::weights(int version) const
{
    const auto* buffer = find(version);
    STAGELOOM_CHECK(buffer, "a weight version that is dead or not made yet");
    return buffer->views;
}

const at::Tensor& WeightVersions::flat(int version) const
{
    const auto* buffer = find(version);
    STAGELOOM_CHECK(buffer, "a weight version that is dead or not made yet");
    return buffer->flat;
}

void WeightVersions::update(Optimizer& optimizer, at::Tensor& gradient, const UpdateInput& input)
{
    const auto source = flat(m_newest);
    const auto oldest = std::min_element(m_buffers.begin(), m_buffers.end(),
        [](const Buffer& a, const Buffer& b) { return a.version < b.version; });
    optimizer.step(oldest->flat, source, gradient, input);
    oldest->version = oldest->first = ++m_newest;
}

void WeightVersions::repeat()
{
    const auto newest = std::find_if(m_buffers.begin(), m_buffers.end(),
        [&](const Buffer& buffer) { return buffer.version == m_newest; });
    newest->version = ++m_newest;
}

} // namespace stageloom::engine
