// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

namespace stageloom {

// Edits make a new plan out of an old one; what cannot be done leaves it as it was.

// Moves the border between stages `border` and `border` + 1, so that the right one begins at
// `firstLayer`; each of the two keeps at least one layer.
Plan withBorder(const Plan& plan, int border, int firstLayer);
Plan withRecomputeToggled(const Plan& plan, int stage);
// Puts a stage on a device: the stage that has it takes this one's, a free device is just taken.
Plan withStageOnDevice(const Plan& plan, int stage, int device);
// Cuts the stage of `firstLayer` before that layer; the new right part takes the first free
// devices. Unchanged where the cut lies on a border or no device is free.
Plan withSplit(const Plan& plan, int firstLayer);
// Joins stages `border` and `border` + 1 on the left one's devices.
Plan withMerged(const Plan& plan, int border);
std::vector<int> freeDevices(const Plan& plan); // without a stage, in the machine's order
Plan withMicrobatches(const Plan& plan, int microbatches);
Plan withMicrobatchSize(const Plan& plan, int samples); // a profile of another size is dropped
Plan withSchedule(const Plan& plan, const std::string& name);

} // namespace stageloom
