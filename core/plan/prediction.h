// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/memory_model.h"
#include "core/plan/plan.h"
#include "core/schedule/schedule.h"
#include "core/schedule/verify.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"

namespace stageloom {

struct StagePrediction {
    StageTimes times; // seconds
    StageMemory memory;
    double capacityBytes = 0; // that the plan may fill (deviceRoom); 0: not known
    int versions = 1;
    int peakStash = 0;
};

// All a person is told before anything runs.
struct Prediction {
    Model model;
    std::vector<StagePrediction> stages;
    Schedule schedule;
    ScheduleProof proof;
    SimulationInput simulation;
    Trace trace;
    TraceMetrics metrics;
    double stepTime = 0; // seconds a batch, steady state
    double samplesPerSecond = 0, tokensPerSecond = 0;
    double peakMemory = 0; // the fullest device
    // Peak of the one training process where all stages run on CPU workers; 0 on GPUs.
    double processMemory = 0;
    bool measuredTimes = false; // from a profile, not estimated from FLOPs
    std::vector<PlanFinding>
        findings; // validation, memory (which stage, category, by how much), balance, proof
    [[nodiscard]] bool feasible() const;
};

// Seconds of one stage: of its slowest replica, whom the others wait for. `reduces`: the list has
// reductions, which run beside the compute; else the worker stands for what of them cannot hide.
StageTimes stageTimes(const Plan& plan, const Model& model, const PlanStage& stage, bool reduces);

// Generates, verifies and simulates `batches` batches. Errors only where there is nothing to show
// (findings of severity Error that leave no schedule); an infeasible plan still predicts.
Result<Prediction> predict(const Plan& plan, int batches = 4);
// With the model already read (dragging a border re-reads nothing).
Result<Prediction> predict(const Plan& plan, const Model& model, int batches);

} // namespace stageloom
