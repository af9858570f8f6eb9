// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

namespace stageloom {

// Edits make a new plan out of an old one; what cannot be done leaves it as it was.

// Moves the border between stages `border` and `border` + 1, so that the right one begins at
// `firstLayer`; each of the two keeps at least one layer.
Plan withBorder(const Plan& plan, int border, int firstLayer);
Plan withRecomputeToggled(const Plan& plan, int stage);
Plan withDevicesSwapped(const Plan& plan, int stage, int other);
Plan withMicrobatches(const Plan& plan, int microbatches);
Plan withMicrobatchSize(const Plan& plan, int samples); // a profile of another size is dropped
Plan withSchedule(const Plan& plan, const std::string& name);

} // namespace stageloom
