// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "core/schedule/demand.h"

namespace stageloom {

// Bytes on one device of a stage, by category (2bw.md §4).
struct StageMemory {
    // All versions.
    double weights = 0;
    // All accumulators.
    double gradients = 0;
    double optimizer = 0;
    // Stashes in flight at their peak.
    double activations = 0;
    // One live layer's temporaries, logits, hand-over.
    double buffers = 0;
    [[nodiscard]] double total() const
    {
        return weights + gradients + optimizer + activations + buffers;
    }
    [[nodiscard]] const char* largestCategory() const;
};

// What a run of layers puts on a device, for one sample where it is bytes.
struct StageLoad {
    // The second copy of a tied weight included.
    double parameters = 0;
    // What forward keeps for backward; the most of one layer.
    double stash = 0, largestStash = 0;
    // Received from the stage before (the token ids on the first), and sent on (0 on the last).
    double input = 0, output = 0;
    // Elements of the head's output; 0 where the stage has no head.
    double logits = 0;
    bool first = false, last = false;
};

// How many of everything a stage holds at once, counted from its schedule's list.
struct StageDemand {
    int inFlight = 1, versions = 1, accumulators = 1;
};

// Bytes a parameter of one dtype and optimizer (2bw.md §4): of the first version and accumulator,
// and of each further one.
struct ParameterBytes {
    double weights = 0, furtherVersion = 0;
    double gradients = 0, furtherAccumulator = 0;
    double optimizer = 0;
    [[nodiscard]] double total(const StageDemand& demand) const
    {
        return weights + furtherVersion * (demand.versions - 1) + gradients
            + furtherAccumulator * (demand.accumulators - 1) + optimizer;
    }
};

ParameterBytes parameterBytes(const Plan& plan);
StageDemand stageDemand(const ListDemand& demand, int stage);
StageLoad stageLoad(const Model& model, int firstLayer, int lastLayer);
// `microbatchSize`: samples b.
StageMemory memoryOf(const StageLoad& load, const ParameterBytes& bytes, const StageDemand& demand,
    int microbatchSize, bool recompute);
// Of a stage of a plan in its steady state, whose schedule makes a list.
Result<StageMemory> stageMemory(const Plan& plan, const Model& model, int stage);
// Bytes that the training process on CPUs holds beside its tensors: LibTorch's code and registries,
// its matrix library's buffers, the run's text and lists. Measured as peak resident set less the
// stages' prediction: 134 to 150 MB over ten plans of 5 to 800 MB.
inline constexpr double kProgramBytes = 140e6;
// Bytes of `device` that a plan may fill: its own, or its share of the host's, less what programs
// lose around their tensors (memory_model.cpp); 0: not known. The one limit that plans are held to.
double deviceRoom(const Topology& topology, int device);
// What programs take of the device's own memory, for the same.
double programBytes(const Topology& topology, int device);
double smallestRoom(const Topology& topology, const std::vector<int>& devices); // of those known

} // namespace stageloom
