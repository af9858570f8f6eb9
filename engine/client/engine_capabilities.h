// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/trainable.h"

namespace stageloom {

// What the engine beside this program trains. It is asked once a build: the answer is kept in the
// user's cache folder ($XDG_CACHE_HOME/stageloom, else ~/.cache/stageloom) with the program's size
// and time of change, and asked for anew where these differ. An error where there is no engine, or
// one that does not answer.
Result<EngineCapabilities> askEngine();

// For people who plan, as Notes: what the engine beside this program would refuse of it or do
// otherwise; or that no engine is there to say so. What validatePlan refuses is left to its words.
std::vector<PlanFinding> trainingNotes(const Plan& plan, const Model& model);
// The same by an answer that was asked for before.
std::vector<PlanFinding> trainingNotes(
    const Plan& plan, const Model& model, const Result<EngineCapabilities>& engine);
std::vector<PlanFinding> trainingNotes(const Model& model);

} // namespace stageloom
