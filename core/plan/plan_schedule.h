// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"

namespace stageloom {

// What a plan asks of the table of schedules, for this many batches: whoever predicts, proves,
// draws or runs a plan makes its list from this.
ScheduleRequest scheduleRequest(const Plan& plan, const Model& model, int batches);
// Whether the updates of this plan cross stages: the gradients' norm is clipped as one, or a weight
// is shared by stages (2bw.md §2).
bool crossStageUpdate(const Plan& plan, const Model& model);
// Whether the weight that a head among these layers shares lies outside of them.
bool tiedAcross(const Model& model, int firstLayer, int lastLayer);

} // namespace stageloom
