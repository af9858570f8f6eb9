// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/batch_reduction.h"

#include "core/base/check.h"
#include "core/base/text.h"
#include "engine/optim/grad_norm.h"
#include <algorithm>
#include <cmath>

namespace stageloom::engine {

std::optional<TiedPair> findTiedPair(const std::vector<const StageModule*>& stages)
{
    std::optional<TiedPair> pair;
    std::string owner;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        for (std::size_t i = 0; i < stages[s]->slots().size(); ++i) {
            const ParameterSpec& spec = stages[s]->slots()[i].spec;
            if (spec.tiedTo.empty())
                continue;
            STAGELOOM_CHECK(!pair, "one tied matrix a model");
            pair = TiedPair { -1, static_cast<int>(s), 0, i };
            owner = spec.tiedTo;
        }
    }
    if (!pair)
        return pair;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        for (std::size_t i = 0; i < stages[s]->slots().size(); ++i) {
            const ParameterSpec& spec = stages[s]->slots()[i].spec;
            if (spec.tiedTo.empty() && spec.name == owner) {
                pair->ownerStage = static_cast<int>(s);
                pair->ownerSlot = i;
            }
        }
    }
    STAGELOOM_CHECK(pair->ownerStage >= 0, "a tied copy has an owner");
    return pair;
}

std::optional<std::size_t> tiedSlotOn(const std::optional<TiedPair>& pair, int stage)
{
    if (pair && pair->ownerStage == stage)
        return pair->ownerSlot;
    if (pair && pair->copyStage == stage)
        return pair->copySlot;
    return std::nullopt;
}

ReducedBatch reduced(const std::vector<StageGradient>& byStage)
{
    ReducedBatch result;
    for (std::size_t s = 0; s < byStage.size(); ++s) {
        double own = 0;
        for (const double squared : byStage[s].squaredNorms) {
            result.squaredNorm += squared;
            own += squared;
        }
        result.lossFinite = result.lossFinite && byStage[s].lossFinite;
        if (!std::isfinite(own) || !byStage[s].lossFinite) // the gradient comes from the last stage
            result.brokenStage = static_cast<int>(s);
    }
    return result;
}

BatchReduction::BatchReduction(int stages, std::optional<TiedPair> tied)
    : m_stages(stages)
    , m_tied(tied)
{
}

void BatchReduction::post(int stage, std::int64_t update, StageGradient part)
{
    Entry* whole = nullptr;
    {
        const std::lock_guard lock(m_mutex);
        Entry& entry = m_entries[update];
        if (entry.parts.empty()) {
            entry.parts.resize(static_cast<std::size_t>(m_stages));
            entry.posted.resize(static_cast<std::size_t>(m_stages));
            entry.missing = m_stages;
        }
        const auto s = static_cast<std::size_t>(stage);
        STAGELOOM_CHECK(!entry.posted[s], "a stage handed in its part of a batch twice");
        entry.posted[s] = true;
        entry.parts[s] = std::move(part);
        if (--entry.missing == 0)
            whole = &entry;
    }
    if (!whole)
        return;
    complete(*whole); // without the lock: nobody else touches an entry between whole and ready
    const std::lock_guard lock(m_mutex);
    whole->ready = true;
    m_completed.notify_all();
}

void BatchReduction::complete(Entry& entry) const
{
    at::Tensor sum;
    if (m_tied) {
        StageGradient& owner = entry.parts[static_cast<std::size_t>(m_tied->ownerStage)];
        StageGradient& copy = entry.parts[static_cast<std::size_t>(m_tied->copyStage)];
        sum = at::add(owner.tied, copy.tied);
        copy.squaredNorms[m_tied->copySlot] = 0;
        owner.squaredNorms[m_tied->ownerSlot] = squaredNorm(sum, 0, sum.numel());
        owner.tied.reset();
        copy.tied.reset();
    }
    entry.result = reduced(entry.parts);
    entry.result.tiedGradient = std::move(sum);
}

std::string BatchReduction::missing(std::int64_t update) const
{
    std::vector<std::string> stages;
    const auto entry = m_entries.find(update);
    for (std::size_t s = 0; s < static_cast<std::size_t>(m_stages); ++s) {
        if (entry == m_entries.end() || !entry->second.posted[s])
            stages.push_back(std::to_string(s));
    }
    return joined(stages, ", ");
}

Result<ReducedBatch> BatchReduction::wait(int stage, std::int64_t update, RunSignals& signals)
{
    std::unique_lock lock(m_mutex);
    const auto ready = [&] {
        const auto entry = m_entries.find(update);
        return entry != m_entries.end() && entry->second.ready;
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
