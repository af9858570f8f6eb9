// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/tied_weights.h"

#include "core/base/check.h"

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

} // namespace stageloom::engine
