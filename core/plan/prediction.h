// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "core/schedule/schedule.h"
#include "core/schedule/verify.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"

namespace stageloom {

// Bytes on one device of a stage, by category (2bw.md §4).
struct StageMemory {
    double weights = 0; // all versions
    double gradients = 0; // all accumulators
    double optimizer = 0;
    double activations = 0; // stashes in flight at their peak
    double buffers = 0; // one live layer's temporaries, logits, hand-over
    [[nodiscard]] double total() const
    {
        return weights + gradients + optimizer + activations + buffers;
    }
    [[nodiscard]] const char* largestCategory() const;
};

struct StagePrediction {
    StageTimes times; // seconds
    StageMemory memory;
    double capacityBytes = 0; // 0: not known
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
    bool measuredTimes = false; // from a profile, not estimated from FLOPs
    std::vector<PlanFinding>
        findings; // validation, memory (which stage, category, by how much), balance, proof
    [[nodiscard]] bool feasible() const;
};

// Layer times from the plan's profile, else from FLOPs, bytes and the device's peak
// (cost_model.cpp).
std::vector<LayerTime> layerTimes(const Plan& plan, const Model& model, int device);
std::vector<double> hopTimes(const Plan& plan, const Model& model); // per stage border, seconds
StageMemory stageMemory(const Plan& plan, const Model& model, int stage);

// Generates, verifies and simulates `batches` batches. Errors only where there is nothing to show
// (findings of severity Error that leave no schedule); an infeasible plan still predicts.
Result<Prediction> predict(const Plan& plan, int batches = 4);
// With the model already read (dragging a border re-reads nothing).
Result<Prediction> predict(const Plan& plan, const Model& model, int batches);

} // namespace stageloom
