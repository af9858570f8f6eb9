// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/prediction.h"
#include "core/store/run_store.h"
#include <filesystem>

// What the demo says, apart from what it does.
namespace stageloom::demo {

void printModel(const Model& model, const std::string& data);
void printPlan(const Plan& plan, const Prediction& prediction);
// The runs side by side, held against the text's byte-unigram entropy; says so where a run did not
// get at least half a nat below it in its steps.
Status printResults(
    const std::vector<RunRow>& rows, const std::filesystem::path& store, const std::string& data);

} // namespace stageloom::demo
