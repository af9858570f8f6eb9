// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/memory_model.h"
#include "core/plan/planner.h"

namespace stageloom::planners {

// One shape to partition: w × d devices, stage-major (rank = s·w + r), b samples, m microbatches.
struct PlanShape {
    int width = 1, depth = 1, microbatchSize = 1, microbatches = 1;
};

// Cost and memory of any run of layers as any stage of one shape, in constant time.
class StageCosts {
public:
    // `demand`: what the schedule's list of this shape asks of its stages.
    StageCosts(const PlannerRequest& request, const ScheduleInfo& schedule, const PlanShape& shape,
        ListDemand demand);

    struct Cost {
        double time = 0; // seconds a batch that the stage itself is busy, its updates included
        bool recompute = false;
        bool fits = false;
        double excess = 0; // bytes over the device; < 0: room left
    };
    // Without recompute where that fits, else with. `first`, `last` inclusive.
    [[nodiscard]] Cost cost(int stage, int first, int last) const;
    [[nodiscard]] StageMemory memory(int stage, int first, int last, bool recompute) const;
    // As predict() gives them to the simulator: seconds a microbatch, and the whole update's.
    [[nodiscard]] StageTimes times(int stage, int first, int last, bool recompute) const;
    // One way from this stage, whose last layer is `last`, to the next one; seconds.
    [[nodiscard]] double hop(int stage, int last) const;
    // What cost().time and memory() are at least, whatever is decided: from the layers alone, so
    // that it only grows with more of them.
    struct Least {
        double time = 0; // seconds a batch
        double excess = 0; // bytes over the device; -infinity where its size is not known
    };
    [[nodiscard]] Least least(int stage, int first, int last) const;
    // Seconds a batch below which no cut of these layers can come, memory aside.
    [[nodiscard]] double leastOfAll() const;
    // Bytes that a plan may fill; 0: not known.
    [[nodiscard]] double capacity(int stage) const { return m_ranks[std::size_t(stage)].capacity; }
    [[nodiscard]] const Plan& plan() const { return m_plan; } // devices set, layers not

private:
    struct Rank {
        std::vector<double> forward, backward, recompute; // prefix sums over layers, seconds
        double capacity = 0;
        double hopSeconds = 0, hopPerByte = 0; // to the next stage: latency and slope
        double updatePerParameter = 0; // seconds
        double reductionPerParameter = 0;
        double bytesPerParameter = 0;
    };
    void addSums(const Model& model);
    void addRanks(const Model& model);
    [[nodiscard]] StageLoad load(int first, int last) const;
    [[nodiscard]] StageMemory memoryAt(const StageLoad& load, int stage, bool recompute) const;
    [[nodiscard]] StageTimes timesOf(
        const StageLoad& load, int stage, int first, int last, bool recompute) const;
    [[nodiscard]] double busy(const StageTimes& times) const;

    const Model& m_model;
    Plan m_plan;
    ParameterBytes m_bytes;
    ListDemand m_demand; // of the shape's list
    int m_updates; // a batch
    std::vector<Rank> m_ranks;
    std::vector<double> m_parameters, m_stash; // prefix sums
    std::vector<double> m_largest; // [first · L + last]
    int m_tiedAt = -1, m_ownerAt = -1; // the layer that shares a weight, and whose
};

} // namespace stageloom::planners
