// SPDX-License-Identifier: Apache-2.0
#include "core/plan/cost_model.h"
#include "core/plan/plan_fixture.h"
#include "core/plan/planners/two_bw.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace stageloom {
namespace {

PlannerRequest handRequest(
    int blocks, int devices, double memory, std::int64_t batch, int perServer = 8)
{
    PlannerRequest request;
    request.model = test::handModel(blocks, blocks % 2 == 0);
    request.topology = test::handTopology(devices, memory, perServer);
    request.batchSize = batch;
    return request;
}

// Seconds a microbatch of the slowest stage, from the public cost functions only; < 0: does not
// fit.
double slowestStage(const Plan& plan, const Model& model)
{
    double slowest = 0;
    const auto hops = hopTimes(plan, model);
    for (int s = 0; s < plan.depth(); ++s) {
        const PlanStage& stage = plan.stages[std::size_t(s)];
        if (stageMemory(plan, model, s).value().total() > *plan.topology.devices[0].memoryBytes)
            return -1;
        double parameters = 0, t = 0;
        const auto times = layerTimes(plan, model, stage.devices[0]);
        for (int i = stage.firstLayer; i <= stage.lastLayer; ++i) {
            const auto& layer = model.layers[std::size_t(i)];
            const auto& time = times[std::size_t(i)];
            parameters += double(layer.parameters);
            if (!layer.tiedTo.empty() && s > 0)
                parameters += double(layer.tiedParameters);
            t += time.forward + time.backward + (stage.recompute ? time.recompute : 0);
        }
        t += s > 0 ? hops[std::size_t(s) - 1] : 0;
        t += s + 1 < plan.depth() ? hops[std::size_t(s)] : 0;
        const double reduction = allReduceTime(plan, parameters, stage.devices) / plan.microbatches;
        t = std::max(t, reduction)
            + updateTime(plan, parameters, stage.devices[0]) / plan.microbatches;
        slowest = std::max(slowest, t);
    }
    return slowest;
}

// Every cut and every choice of recompute of the stages from `stage` on.
void tryAll(Plan& plan, const Model& model, int stage, int first, double& best)
{
    const int layers = int(model.layers.size());
    PlanStage& here = plan.stages[std::size_t(stage)];
    here.firstLayer = first;
    for (const bool recompute : { false, true }) {
        here.recompute = recompute;
        if (stage + 1 == plan.depth()) {
            here.lastLayer = layers - 1;
            if (const double t = slowestStage(plan, model); t >= 0)
                best = std::max(best, double(plan.width() * plan.microbatchSize) / t);
            continue;
        }
        for (int last = first; last < layers - (plan.depth() - 1 - stage); ++last) {
            here.lastLayer = last;
            tryAll(plan, model, stage + 1, last + 1, best);
        }
    }
}

double bruteForce(const PlannerRequest& request)
{
    double best = 0;
    const int n = int(request.topology.devices.size());
    for (int w = 1; w <= n; ++w)
        for (std::int64_t b = 1; b <= request.batchSize; ++b) {
            if (n % w != 0 || request.batchSize % (w * b) != 0
                || request.batchSize / (w * b) < n / w)
                continue;
            Plan plan;
            plan.topology = request.topology;
            plan.optimizer = request.optimizer;
            plan.microbatchSize = int(b);
            plan.microbatches = int(request.batchSize / (w * b));
            for (int s = 0; s < n / w; ++s) {
                plan.stages.emplace_back();
                for (int r = 0; r < w; ++r)
                    plan.stages.back().devices.push_back(s * w + r);
            }
            tryAll(plan, request.model, 0, 0, best);
        }
    return best;
}

double bestRate(const PlannerRequest& request)
{
    const auto search = planners::searchTwoBw(request, *findSchedule("2bw"));
    return search.found.empty() ? 0 : search.found[0].rate;
}

// 2bw.md §7.27.
TEST(TwoBwPlanner, equalsBruteForceOverCutsMicrobatchesAndRecompute)
{
    for (const int devices : { 1, 2, 3, 4 })
        for (const double memory : { 1e5, 1.6e5, 2.4e5, 1e9 }) {
            const auto request = handRequest(3 + devices % 2, devices, memory, 24, 2);
            EXPECT_NEAR(bestRate(request), bruteForce(request), 1e-9 * bruteForce(request))
                << devices << " devices, " << memory << " bytes";
        }
}

TEST(TwoBwPlanner, moreMemoryNeverLowersTheBestRate)
{
    std::mt19937 random(7);
    for (int i = 0; i < 20; ++i) {
        const int blocks = 4 + int(random() % 6), devices = 1 << (random() % 4);
        double before = 0;
        for (double memory = 4e4; memory < 4e6; memory *= 1.7) {
            const double rate = bestRate(handRequest(blocks, devices, memory, 48));
            EXPECT_GE(rate, before * (1 - 1e-12));
            before = rate;
        }
    }
}

TEST(TwoBwPlanner, aSlowerNetworkNeverRaisesTheBestRate)
{
    auto request = handRequest(8, 8, 1e9, 48, 2);
    const double fast = bestRate(request);
    for (Link& link : request.topology.links)
        if (*link.bandwidth < 1e9)
            link.bandwidth = *link.bandwidth / 50;
    EXPECT_LE(bestRate(request), fast);
}

// §7.27: the all-reduce and the update are shared by more microbatches.
TEST(TwoBwPlanner, aLargerBatchNeverLowersTheRateOfAShape)
{
    std::map<std::tuple<int, int, int>, double> before;
    int compared = 0;
    for (const std::int64_t batch : { 32, 64, 128, 256 }) {
        for (const auto& found :
            planners::searchTwoBw(handRequest(8, 8, 1e9, batch, 4), *findSchedule("2bw")).found) {
            const auto& shape = found.shape;
            double& rate = before[{ shape.width, shape.depth, shape.microbatchSize }];
            EXPECT_GE(found.rate, rate * (1 - 1e-12))
                << shape.width << " x " << shape.depth << " b " << shape.microbatchSize;
            compared += rate > 0;
            rate = found.rate;
        }
    }
    EXPECT_GT(compared, 10);
}

// §7.28: two replicas on one server reduce over its fast links, on two servers over the network.
TEST(TwoBwPlanner, replicasOnTwoServersReduceAtTheNetworksBandwidth)
{
    Plan plan;
    plan.topology = test::handTopology(4, 1e9, 2);
    const double bytes = 2 * 0.5 * 1e6 * 4; // 2(w-1)/w of 10⁶ fp32 gradients
    EXPECT_DOUBLE_EQ(allReduceTime(plan, 1e6, { 0, 1 }), bytes / 1e10);
    EXPECT_DOUBLE_EQ(allReduceTime(plan, 1e6, { 1, 2 }), bytes / 1e8);
    EXPECT_EQ(allReduceTime(plan, 1e6, { 3 }), 0);
}

// §7.25 and §7.28.
TEST(TwoBwPlanner, everyPlanIsLegalAndReplicasShareAServer)
{
    const auto request = handRequest(9, 8, 4e5, 48, 4);
    const auto search = planners::searchTwoBw(request, *findSchedule("2bw"));
    ASSERT_FALSE(search.found.empty());
    for (const auto& found : search.found) {
        EXPECT_EQ(found.shape.width * found.shape.depth, 8);
        EXPECT_EQ(found.shape.width * found.shape.microbatchSize * found.shape.microbatches, 48);
        EXPECT_GE(found.shape.microbatches, found.shape.depth);
        EXPECT_LE(found.partition.excess, 0);
        for (const PlanStage& stage : found.partition.stages)
            if (found.shape.width <= 4) {
                EXPECT_EQ(stage.devices.front() / 4, stage.devices.back() / 4);
            }
    }
}

TEST(MakePlans, nothingFittingNamesTheStageTheCategoryAndTheBytes)
{
    const auto answer = makePlans(handRequest(4, 2, 2e4, 8));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, ErrorKind::Infeasible);
    EXPECT_NE(answer.error().message.find("too much, most of it"), std::string::npos);
    EXPECT_NE(answer.error().message.find("on GPU"), std::string::npos);
}

TEST(MakePlans, tooFewMicrobatchesFallBackToAFlushAndSaySo)
{
    auto request = handRequest(7, 4, 1e9, 1);
    const auto answer = makePlans(request);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->plans[0].plan.schedule, "1f1b");
    EXPECT_NE(answer->plans[0].why.find("so this is 1f1b"), std::string::npos);
    request.planner = "2bw";
    EXPECT_FALSE(makePlans(request));
}

TEST(MakePlans, anUnknownPlannerIsAnsweredWithTheNearest)
{
    auto request = handRequest(4, 2, 1e9, 8);
    request.planner = "2wb";
    const auto answer = makePlans(request);
    ASSERT_FALSE(answer);
    EXPECT_NE(answer.error().message.find("did you mean '2bw'"), std::string::npos);
}

TEST(MakePlans, rankedPlansPredictWithoutErrorsAndExplainThemselves)
{
    const auto answer = makePlans(handRequest(8, 4, 1e9, 32));
    ASSERT_TRUE(answer) << answer.error().message;
    double before = answer->plans[0].prediction.samplesPerSecond;
    for (const RankedPlan& ranked : answer->plans) {
        EXPECT_TRUE(ranked.prediction.proof.ok());
        EXPECT_LE(ranked.prediction.samplesPerSecond, before * (1 + 1e-9));
        EXPECT_NE(ranked.why.find("is bounded by"), std::string::npos);
        before = ranked.prediction.samplesPerSecond;
    }
}

} // namespace
} // namespace stageloom
