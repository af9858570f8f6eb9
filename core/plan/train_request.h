// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/trainable.h"

namespace stageloom {

// Everything one training run is started with; written to the run's folder and into the store,
// so that "run again exactly" needs nothing else.
struct TrainRequest {
    Plan plan;
    std::string dataPath; // a text file or a folder
    int steps = 100;
    std::uint64_t seed = 1234;
    std::string name;
    double validationFraction = 0.1;
    int evalInterval = 0; // batches between evaluations; 0: only at the end
    int evalSamples = 32; // that an evaluation reads: the same text however a batch is cut
    bool recordSpans = true;
    int threadsPerStage = 1;
};

// Whether an engine on a machine with `cores` can begin this run, apart from its text: the plan is
// sound, the engine trains it, its list and its threads are within bounds. The first thing that is
// in the way, as one sentence with its remedy. Client and engine ask the same.
Status checkRequest(
    const TrainRequest& request, const Model& model, const EngineCapabilities& engine, int cores);

Json toJson(const TrainRequest& request);
Result<TrainRequest> trainRequestFromJson(const Json& document, const std::string& where);

} // namespace stageloom
