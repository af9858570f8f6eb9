// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/stage_module.h"
#include <optional>

namespace stageloom::engine {

// One matrix that two stages hold: the owner (embedding) and the copy (head).
struct TiedPair {
    int ownerStage = 0, copyStage = 0;
    std::size_t ownerSlot = 0, copySlot = 0; // indices into slots()
};

// Finds the copy by ParameterSpec::tiedTo. None: nothing is tied across stages.
std::optional<TiedPair> findTiedPair(const std::vector<const StageModule*>& stages);

// The slot of the tied matrix on this stage, if it holds one.
std::optional<std::size_t> tiedSlotOn(const std::optional<TiedPair>& pair, int stage);

} // namespace stageloom::engine
