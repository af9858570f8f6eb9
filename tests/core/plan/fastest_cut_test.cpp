// SPDX-License-Identifier: Apache-2.0
// The planner against every cut there is, both timed by the prediction's own simulator.
#include "core/plan/cost_model.h"
#include "core/plan/plan_fixture.h"
#include "core/plan/plan_schedule.h"
#include "core/schedule/registry.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace stageloom {
namespace {

constexpr int kInstances = 500; // that have a plan, of each schedule
constexpr double kWorst = 1.005;

// Layers of random cost, size and output, devices of random memory and links: some instances are
// bound by transfers, some by updates, some by memory.
class Instance {
public:
    explicit Instance(unsigned seed)
        : m_random(seed)
    {
        const int depth = whole(2, 5), layers = depth + whole(1, depth > 4 ? 6 : 9);
        request.model.family = "gpt2";
        request.model.name = "random";
        request.model.seq = 16;
        const double hop = one() < 0.3 ? real(1, 40) : real(0, 1); // outputs, relative
        for (int i = 0; i < layers; ++i) {
            Layer layer;
            layer.name = "layer " + std::to_string(i);
            layer.parameters = whole(100, one() < 0.2 ? 20000 : 2000);
            layer.forwardFlops = real(1e6, 1e8);
            layer.outputBytes = hop * real(1e4, 2e4) + 1;
            layer.stashBytes = real(100, 4000);
            request.model.layers.push_back(layer);
        }
        request.topology = test::handTopology(depth, 0);
        request.optimizer.clipNorm = one() < 0.5 ? 1 : 0;
        request.stages = depth;
        request.width = 1;
        request.microbatchSize = whole(1, 2);
        request.microbatches = depth + whole(0, 4);
        request.batchSize = std::int64_t(request.microbatchSize) * request.microbatches;
        request.top = 1;
        if (one() < 0.5) { // too little for most cuts, or any, up to enough for all
            const double all = 24.0 * 2000 * layers / depth + 4000.0 * layers;
            const double room = all * real(1.3, 3);
            for (Device& device : request.topology.devices)
                device.memoryBytes = test::memoryWithRoom(room);
        }
    }

    PlannerRequest request;

private:
    double one() { return std::uniform_real_distribution<>(0, 1)(m_random); }
    double real(double low, double high)
    {
        return std::uniform_real_distribution<>(low, high)(m_random);
    }
    int whole(int low, int high) { return std::uniform_int_distribution<>(low, high)(m_random); }
    std::mt19937 m_random;
};

// Every cut of `plan`, without recompute where that fits, else with; timed as the prediction times
// it.
class EveryCut {
public:
    EveryCut(Plan plan, const Model& model)
        : m_plan(std::move(plan))
        , m_model(model)
    {
        cutFrom(0, 0);
    }
    double fastest = std::numeric_limits<double>::infinity(); // seconds a batch

private:
    [[nodiscard]] bool fits(int stage) const
    {
        const double room = deviceRoom(m_plan.topology, stage);
        return room <= 0 || stageMemory(m_plan, m_model, stage)->total() <= room;
    }

    void cutFrom(int stage, int first)
    {
        const int layers = int(m_model.layers.size()), after = m_plan.depth() - 1 - stage;
        PlanStage& here = m_plan.stages[std::size_t(stage)];
        for (int last = after > 0 ? first : layers - 1; last < layers - after; ++last) {
            here.firstLayer = first;
            here.lastLayer = last;
            here.recompute = false;
            here.recompute = !fits(stage);
            if (!fits(stage))
                continue;
            if (after > 0)
                cutFrom(stage + 1, last + 1);
            else
                time();
        }
    }

    void time()
    {
        SimulationInput input;
        const auto schedule = makeSchedule(scheduleRequest(m_plan, m_model, 4));
        const bool reduces = demandOf(*schedule).reduces;
        for (const PlanStage& stage : m_plan.stages)
            input.stages.push_back(stageTimes(m_plan, m_model, stage, reduces));
        input.hops = hopTimes(m_plan, m_model);
        const auto trace = simulate(*schedule, input);
        fastest = std::min(fastest, measure(*trace).periodPerBatch);
    }

    Plan m_plan;
    const Model& m_model;
};

class FastestCut : public ::testing::TestWithParam<std::string> { };

TEST_P(FastestCut, isWithinHalfAPercentOfTheBestOfAll)
{
    int planned = 0;
    double worst = 1;
    unsigned seed = 0;
    for (; planned < kInstances && seed < 2 * kInstances; ++seed) {
        Instance instance(seed);
        PlannerRequest& request = instance.request;
        request.schedules = { GetParam() };
        request.planner = "2bw"; // as they are
        Plan plan;
        plan.schedule = GetParam();
        plan.topology = request.topology;
        plan.optimizer = request.optimizer;
        plan.seq = request.model.seq;
        plan.microbatchSize = request.microbatchSize;
        plan.microbatches = request.microbatches;
        for (int s = 0; s < request.stages; ++s)
            plan.stages.push_back({ 0, 0, { s }, false });
        const double best = EveryCut(plan, request.model).fastest;
        const auto answer = makePlans(request);
        ASSERT_EQ(answer.has_value(), best < std::numeric_limits<double>::infinity())
            << "instance " << seed;
        if (!answer)
            continue;
        ++planned;
        const double ratio = answer->plans[0].prediction.metrics.periodPerBatch / best;
        EXPECT_LE(ratio, kWorst) << "instance " << seed;
        worst = std::max(worst, ratio);
    }
    EXPECT_EQ(planned, kInstances);
    std::printf("%s: %d of %u instances have a plan, the worst takes %.4f of the best cut's time\n",
        GetParam().c_str(), planned, seed, worst);
}

INSTANTIATE_TEST_SUITE_P(Schedules, FastestCut, ::testing::ValuesIn(scheduleNames()),
    [](const auto& tested) { // a name of letters, digits and underscores is asked for
        std::string name = "of_" + tested.param;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

} // namespace
} // namespace stageloom
