// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/stage_state.h"

#include "core/base/check.h"
#include <algorithm>
#include <cmath>

namespace stageloom::engine {

std::size_t ActivationStash::indexOf(std::int64_t microbatch) const
{
    std::size_t i = 0;
    while (i < m_entries.size() && m_entries[i].microbatch != microbatch)
        ++i;
    return i;
}

StageStash& ActivationStash::open(std::int64_t microbatch)
{
    STAGELOOM_CHECK(indexOf(microbatch) == m_entries.size(), "a forward ran twice");
    m_entries.push_back({ microbatch, {} });
    m_peak = std::max(m_peak, m_entries.size());
    return m_entries.back().stash;
}

StageStash& ActivationStash::at(std::int64_t microbatch)
{
    const std::size_t i = indexOf(microbatch);
    STAGELOOM_CHECK(i < m_entries.size(), "a backward without its forward");
    return m_entries[i].stash;
}

void ActivationStash::close(std::int64_t microbatch)
{
    const std::size_t i = indexOf(microbatch);
    STAGELOOM_CHECK(i < m_entries.size(), "a stash was dropped twice");
    m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(i));
}

void LossBook::add(std::int64_t batch, std::int64_t update, double loss, int microbatches)
{
    while (m_first + static_cast<std::int64_t>(m_open.size()) <= batch)
        m_open.push_back(0);
    m_open[static_cast<std::size_t>(batch - m_first)] += loss / microbatches;
    if (!std::isfinite(loss) && !broken(update))
        m_broken.push_back(update);
}

double LossBook::take(std::int64_t batch)
{
    STAGELOOM_CHECK(m_first == batch && !m_open.empty(), "batches finish in order");
    const double loss = m_open.front();
    m_open.pop_front();
    ++m_first;
    return loss;
}

bool LossBook::broken(std::int64_t update) const
{
    return std::find(m_broken.begin(), m_broken.end(), update) != m_broken.end();
}

void LossBook::forget(std::int64_t update)
{
    std::erase(m_broken, update);
}

StageState::StageState(const StageParts& stageParts, int accumulatorCount, at::ScalarType dtype,
    std::size_t inFlight, SpanRecorder spanRecorder)
    : parts(&stageParts)
    , activationIn(inFlight)
    , activationOut(inFlight)
    , gradientIn(inFlight)
    , gradientOut(inFlight)
    , spans(std::move(spanRecorder))
{
    for (int i = 0; i < accumulatorCount; ++i) {
        Accumulator accumulator;
        accumulator.flat = at::zeros(
            { stageParts.module->flatElements() }, at::device(stageParts.device).dtype(dtype));
        accumulator.views = stageParts.module->views(accumulator.flat);
        accumulators.push_back(std::move(accumulator));
    }
}

} // namespace stageloom::engine
