// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/prediction.h"

namespace stageloom {

// What a run of layers puts on a device, for one sample where it is bytes.
struct StageLoad {
    double parameters = 0; // the second copy of a tied weight included
    double stash = 0; // what forward keeps for backward
    double largestStash = 0; // of one layer
    double input = 0; // received from the stage before; the token ids on the first
    double output = 0; // sent on; 0 on the last
    double logits = 0; // elements of the head's output; 0 where the stage has no head
    bool first = false, last = false;
};

// Bytes a parameter (2bw.md §4) and microbatches in flight, for one schedule and optimizer.
struct MemoryRule {
    int depth = 1, microbatches = 1, microbatchSize = 1;
    enum class Flight { Stream, Flush, All } flight = Flight::Stream;
    bool versionPerStash = false; // PipeDream: as many versions as microbatches in flight
    double weightBytes = 0, extraVersionBytes = 0, gradientBytes = 0, optimizerBytes = 0;
    int versions = 1;
    // 2BW with clipping or ties puts off the last stage's update to where its next batch has ended:
    // nothing of the old version is in flight there any more, and one buffer holds both.
    bool lastHoldsOne = false;

    [[nodiscard]] int inFlight(int stage) const;
    [[nodiscard]] int versionsAt(int stage) const
    {
        if (lastHoldsOne && stage + 1 == depth)
            return 1;
        return versionPerStash ? inFlight(stage) : versions;
    }
};

MemoryRule memoryRule(const Plan& plan, bool crossStage);
StageLoad stageLoad(const Model& model, int firstLayer, int lastLayer);
StageMemory memoryOf(const StageLoad& load, const MemoryRule& rule, int stage, bool recompute);
// Bytes of `device`: its own, else its share of the host's; 0: not known.
double deviceCapacity(const Topology& topology, int device);
// Whether the weight the head shares lies on another stage when the head's stage starts at
// `firstLayer`.
bool tiedAcross(const Model& model, int firstLayer, int lastLayer);

} // namespace stageloom
