// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"

namespace stageloom {

// What a plan asks of the table of schedules, for this many batches: whoever predicts, proves,
// draws or runs a plan makes its list from this.
ScheduleRequest scheduleRequest(const Plan& plan, const Model& model, int batches);
// Whether updates wait for every stage's part (ScheduleRequest::crossStageUpdate): where a batch
// has one update, so that all stages leave out a batch that is not finite, or none. Under PipeDream
// stages agree at no time, and wait only where they are `coupled` by a clipped norm or a shared
// weight (2bw.md §2).
bool reducesUpdates(const ScheduleInfo& info, int depth, bool coupled);
// The same of a plan.
bool crossStageUpdate(const Plan& plan, const Model& model);
// Whether the weight that a head among these layers shares lies outside of them.
bool tiedAcross(const Model& model, int firstLayer, int lastLayer);

} // namespace stageloom
