// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"

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
    int evalBatches = 8; // microbatches a evaluation reads
    bool recordSpans = true;
    int threadsPerStage = 1;
};

// What the engine of this version cannot train, as one sentence with its remedy. The plan itself
// may be sound.
Status checkTrainable(const Plan& plan);

Json toJson(const TrainRequest& request);
Result<TrainRequest> trainRequestFromJson(const Json& document, const std::string& where);

} // namespace stageloom
