// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/batch_reduction.h"

#include "core/base/check.h"
#include "core/base/text.h"
#include "engine/optim/grad_norm.h"

namespace stageloom::engine {

double foldSquaredNorms(const std::vector<std::vector<double>>& byStage)
{
    double sum = 0;
    for (const auto& stage : byStage) {
        for (double squared : stage)
            sum += squared;
    }
    return sum;
}

BatchReduction::BatchReduction(int stages, std::optional<TiedPair> tied)
    : m_stages(stages)
    , m_tied(tied)
{
}

void BatchReduction::post(
    int stage, std::int64_t update, std::vector<double> squaredNorms, at::Tensor tiedGradient)
{
    const std::lock_guard lock(m_mutex);
    Entry& entry = m_entries[update];
    entry.squaredNorms.resize(static_cast<std::size_t>(m_stages));
    auto& norms = entry.squaredNorms[static_cast<std::size_t>(stage)];
    STAGELOOM_CHECK(norms.empty(), "a stage handed in its part of a batch twice");
    norms = std::move(squaredNorms);
    if (m_tied && m_tied->ownerStage == stage)
        entry.owner = std::move(tiedGradient);
    else if (m_tied && m_tied->copyStage == stage)
        entry.copy = std::move(tiedGradient);
    if (++entry.posted == m_stages) {
        complete(entry);
        m_completed.notify_all();
    }
}

void BatchReduction::complete(Entry& entry) const
{
    if (m_tied) {
        entry.result.tiedGradient = at::add(entry.owner, entry.copy);
        auto& owner = entry.squaredNorms[static_cast<std::size_t>(m_tied->ownerStage)];
        auto& copy = entry.squaredNorms[static_cast<std::size_t>(m_tied->copyStage)];
        copy[m_tied->copySlot] = 0;
        const at::Tensor& sum = entry.result.tiedGradient;
        owner[m_tied->ownerSlot] = squaredNorm(sum, 0, sum.numel());
        entry.owner.reset();
        entry.copy.reset();
    }
    entry.result.squaredNorm = foldSquaredNorms(entry.squaredNorms);
}

std::string BatchReduction::missing(std::int64_t update) const
{
    std::vector<std::string> stages;
    const auto entry = m_entries.find(update);
    for (std::size_t s = 0; s < static_cast<std::size_t>(m_stages); ++s) {
        if (entry == m_entries.end() || entry->second.squaredNorms[s].empty())
            stages.push_back(std::to_string(s));
    }
    return joined(stages, ", ");
}

Result<ReducedBatch> BatchReduction::wait(int stage, std::int64_t update, RunSignals& signals)
{
    std::unique_lock lock(m_mutex);
    const auto ready = [&] {
        const auto entry = m_entries.find(update);
        return entry != m_entries.end() && entry->second.posted == m_stages;
    };
    const auto what = [&] {
        return fmt::format("stage {} waits for the gradient of update {} from stage {}", stage,
            update, missing(update));
    };
    if (Status waited = signals.wait(lock, m_completed, ready, what); !waited)
        return failure(waited);
    const auto entry = m_entries.find(update);
    ReducedBatch result = entry->second.result;
    if (++entry->second.taken == m_stages)
        m_entries.erase(entry);
    return result;
}

} // namespace stageloom::engine
