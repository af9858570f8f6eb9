// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/model.h"
#include "engine/nn/stage_module.h"

namespace stageloom::engine {

// One row of the table of families that train: capabilities name them, buildStage() takes the rows.
struct TrainedFamily {
    const char* name; // as in core/model
    std::unique_ptr<Layer> (*makeLayer)(const Model& model, int index);
};
const std::vector<TrainedFamily>& trainedFamilies();

// Builds layers [first, last] of a model; what cannot be built is an error that names what can. A
// stage that holds the head but not the embedding of a tied model gets its own copy of the
// matrix (spec.tiedTo); one that holds both has one slot, into which both gradients go.
Result<std::unique_ptr<StageModule>> buildStage(
    const Model& model, int firstLayer, int lastLayer, at::ScalarType dtype = at::kFloat);
// Fills `flat` from the seed. Each parameter has its own stream keyed by its name, so that a model
// starts from the same weights however it is cut, and tied copies are equal.
void initialize(const StageModule& stage, const at::Tensor& flat, std::uint64_t seed);

} // namespace stageloom::engine
