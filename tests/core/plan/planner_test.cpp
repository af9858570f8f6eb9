// SPDX-License-Identifier: Apache-2.0
#include "core/plan/cost_model.h"
#include "core/plan/explain.h"
#include "core/plan/plan_fixture.h"
#include "core/plan/plan_schedule.h"
#include "core/plan/planners/pipeline_search.h"
#include "core/plan/planners/stage_costs.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

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

// Samples a second of the best of every cut and choice of recompute of the stages from `stage` on,
// by the prediction.
void tryAll(Plan& plan, const Model& model, int stage, int first, double& best)
{
    const int layers = int(model.layers.size());
    PlanStage& here = plan.stages[std::size_t(stage)];
    here.firstLayer = first;
    for (const bool recompute : { false, true }) {
        here.recompute = recompute;
        if (stage + 1 == plan.depth()) {
            here.lastLayer = layers - 1;
            const auto prediction = predict(plan, model, 4);
            if (prediction && prediction->feasible())
                best = std::max(best, prediction->samplesPerSecond);
            continue;
        }
        for (int last = first; last < layers - (plan.depth() - 1 - stage); ++last) {
            here.lastLayer = last;
            tryAll(plan, model, stage + 1, last + 1, best);
        }
    }
}

// Every layout of any number of the devices, and every microbatch.
double bruteForce(const PlannerRequest& request)
{
    double best = 0;
    const int n = int(request.topology.devices.size()), layers = int(request.model.layers.size());
    for (int w = 1; w <= n; ++w)
        for (int d = 1; w * d <= n && d <= layers; ++d)
            for (std::int64_t b = 1; b <= request.batchSize; ++b) {
                if (request.batchSize % (w * b) != 0 || request.batchSize / (w * b) < d)
                    continue;
                Plan plan;
                plan.topology = request.topology;
                plan.optimizer = request.optimizer;
                plan.microbatchSize = int(b);
                plan.microbatches = int(request.batchSize / (w * b));
                for (int s = 0; s < d; ++s) {
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
    const auto search = planners::searchPipelines(request, *findSchedule("2bw"));
    return search.found.empty() ? 0 : search.found[0].rate;
}

// 2bw.md §7.27.
TEST(PipelineSearch, equalsBruteForceOverCutsMicrobatchesAndRecompute)
{
    for (const int devices : { 1, 2, 3, 4 })
        for (const double memory : { 1e5, 1.6e5, 2.4e5, 1e9 }) {
            const auto request = handRequest(2 + devices % 2, devices, memory, 12, 2);
            const double best = bruteForce(request);
            EXPECT_GE(bestRate(request), best * (1 - kEqualSpeed))
                << devices << " devices, " << memory << " bytes";
        }
}

TEST(PipelineSearch, moreMemoryNeverLowersTheBestRate)
{
    std::mt19937 random(7);
    for (int i = 0; i < 20; ++i) {
        const int blocks = 4 + int(random() % 6), devices = 1 << (random() % 4);
        double before = 0;
        for (double memory = 4e4; memory < 4e6; memory *= 1.7) {
            const double rate = bestRate(handRequest(blocks, devices, memory, 48));
            EXPECT_GE(rate, before * (1 - kEqualSpeed));
            before = std::max(before, rate);
        }
    }
}

TEST(PipelineSearch, aSlowerNetworkNeverRaisesTheBestRate)
{
    auto request = handRequest(8, 8, 1e9, 48, 2);
    const double fast = bestRate(request);
    for (Link& link : request.topology.links)
        if (*link.bandwidth < 1e9)
            link.bandwidth = *link.bandwidth / 50;
    EXPECT_LE(bestRate(request), fast * (1 + kEqualSpeed));
}

// §7.27: the all-reduce and the update are shared by more microbatches.
TEST(PipelineSearch, aLargerBatchNeverLowersTheRateOfAShape)
{
    std::map<std::tuple<int, int, int>, double> before;
    int compared = 0;
    for (const std::int64_t batch : { 32, 64, 128, 256 }) {
        auto request = handRequest(8, 8, 1e9, batch, 4);
        request.top = 1000; // all are simulated
        for (const auto& found : planners::searchPipelines(request, *findSchedule("2bw")).found) {
            const auto& shape = found.shape;
            double& rate = before[{ shape.width, shape.depth, shape.microbatchSize }];
            EXPECT_GE(found.rate, rate * (1 - kEqualSpeed))
                << shape.width << " x " << shape.depth << " b " << shape.microbatchSize;
            compared += rate > 0;
            rate = found.rate;
        }
    }
    EXPECT_GT(compared, 10);
}

// §7.28: two replicas on one server reduce over its fast links, on two servers over the network.
TEST(PipelineSearch, replicasOnTwoServersReduceAtTheNetworksBandwidth)
{
    Plan plan;
    plan.topology = test::handTopology(4, 1e9, 2);
    const double bytes = 2 * 0.5 * 1e6 * 4; // 2(w-1)/w of 10⁶ fp32 gradients
    EXPECT_DOUBLE_EQ(allReduceTime(plan, 1e6, { 0, 1 }), bytes / 1e10);
    EXPECT_DOUBLE_EQ(allReduceTime(plan, 1e6, { 1, 2 }), bytes / 1e8);
    EXPECT_EQ(allReduceTime(plan, 1e6, { 3 }), 0);
}

// §7.25 and §7.28.
TEST(PipelineSearch, everyPlanIsLegalAndReplicasShareAServer)
{
    const auto request = handRequest(9, 8, 4e5, 48, 4);
    const auto search = planners::searchPipelines(request, *findSchedule("2bw"));
    ASSERT_FALSE(search.found.empty());
    for (const auto& found : search.found) {
        EXPECT_LE(found.shape.width * found.shape.depth, 8);
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
    EXPECT_NE(answer.error().message.find(", and GPU "), std::string::npos);
}

TEST(MakePlans, tooFewMicrobatchesLetAFlushCompeteAndSaySo)
{
    auto request = handRequest(7, 4, 1e9, 3);
    request.stages = 4;
    const auto answer = makePlans(request);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->plans[0].plan.schedule, "1f1b");
    EXPECT_NE(answer->plans[0].why.find("so this is 1f1b"), std::string::npos);
    request.planner = "2bw";
    EXPECT_FALSE(makePlans(request));
}

// One sample a batch, and transfers that cost more than shared updates save.
TEST(MakePlans, fewerDevicesAreUsedWhereMoreDoNotHelp)
{
    auto request = handRequest(7, 4, 1e9, 1);
    for (Link& link : request.topology.links)
        link.bandwidth = 1e4;
    const auto answer = makePlans(request);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->plans[0].plan.depth() * answer->plans[0].plan.width(), 1);
    EXPECT_NE(answer->plans[0].why.find("1 of the 4 devices"), std::string::npos);
}

TEST(MakePlans, moreDevicesThanLayersGetAPlanOnFewer)
{
    auto request = handRequest(5, 16, 1e9, 32);
    request.width = 1;
    const auto answer = makePlans(request);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_LE(answer->plans[0].plan.depth(), 7);
    EXPECT_GE(answer->plans[0].plan.depth(), 2);
    ASSERT_FALSE(answer->rejected.empty());
    EXPECT_NE(answer->rejected[0].reason.find("more than the model's 7 layers"), std::string::npos);
}

TEST(MakePlans, whatIsFixedIsKept)
{
    auto request = handRequest(8, 8, 1e9, 48);
    request.stages = 3;
    request.width = 2;
    request.microbatchSize = 4;
    auto answer = makePlans(request);
    ASSERT_TRUE(answer) << answer.error().message;
    for (const RankedPlan& ranked : answer->plans) {
        EXPECT_EQ(ranked.plan.depth(), 3);
        EXPECT_EQ(ranked.plan.width(), 2);
        EXPECT_EQ(ranked.plan.microbatchSize, 4);
        EXPECT_EQ(ranked.plan.microbatches, 6);
    }
    request = handRequest(8, 8, 1e9, 48);
    request.microbatches = 8;
    answer = makePlans(request);
    ASSERT_TRUE(answer) << answer.error().message;
    for (const RankedPlan& ranked : answer->plans)
        EXPECT_EQ(ranked.plan.microbatches, 8);
}

void expectRefused(const PlannerRequest& request, const std::vector<std::string>& words)
{
    const auto answer = makePlans(request);
    ASSERT_FALSE(answer);
    for (const std::string& word : words)
        EXPECT_NE(answer.error().message.find(word), std::string::npos)
            << "'" << word << "' is not in: " << answer.error().message;
}

TEST(MakePlans, whatCannotBeFixedSaysWhatCan)
{
    auto request = handRequest(8, 8, 1e9, 48);
    request.width = 9;
    expectRefused(request, { "9 replicas", "8 devices", "widths are 1, 2, 3, 4, 6, 8" });
    request.width = 5;
    expectRefused(request, { "5 replicas", "48 samples" });
    request.width = 4;
    request.stages = 3;
    expectRefused(request, { "3 stages × 4 replicas need 12 devices" });
    request.width = 0;
    request.stages = 11;
    expectRefused(request, { "11 stages", "10 layers" });
    request.stages = 0;
    request.microbatches = 7;
    expectRefused(request, { "48 samples", "any × 7 × any", "42" });
    request.microbatches = -1;
    expectRefused(request, { "-1", "1 or more" });
}

TEST(MakePlans, severalSchedulesAreOneRankingWithEachOnesBest)
{
    auto request = handRequest(8, 4, 1e9, 32);
    request.schedules = scheduleNames();
    request.top = 1;
    const auto answer = makePlans(request);
    ASSERT_TRUE(answer) << answer.error().message;
    std::set<std::string> seen;
    for (const RankedPlan& ranked : answer->plans)
        EXPECT_TRUE(seen.insert(ranked.plan.schedule).second) << "top is 1";
    EXPECT_EQ(seen.size(), scheduleNames().size());
    const Json document = toJson(*answer);
    for (const Json& plan : document["plans"])
        EXPECT_EQ(seen.count(plan["schedule"].get<std::string>()), 1u);
}

// Equally fast plans differ in memory: the first of them holds the least.
TEST(MakePlans, ofEquallyFastPlansTheOneWithLessMemoryIsFirst)
{
    for (const int devices : { 2, 4, 8 }) {
        auto request = handRequest(10, devices, 1e9, 64);
        request.top = 100;
        const auto answer = makePlans(request);
        ASSERT_TRUE(answer) << answer.error().message;
        const Prediction& first = answer->plans[0].prediction;
        double fastest = 0;
        for (const RankedPlan& ranked : answer->plans)
            fastest = std::max(fastest, ranked.prediction.samplesPerSecond);
        EXPECT_GE(first.samplesPerSecond, fastest / (1 + kEqualSpeed));
        for (const RankedPlan& ranked : answer->plans)
            if (ranked.prediction.samplesPerSecond >= fastest / (1 + kEqualSpeed)) {
                EXPECT_LE(first.peakMemory, ranked.prediction.peakMemory);
            }
    }
}

TEST(MakePlans, aBatchOfTooManyMicrobatchesIsToBeLowered)
{
    auto request = handRequest(4, 2, 1.5e5, 1'000'000);
    request.microbatchSize = 1;
    expectRefused(request, { "a batch of 1000000 samples", "lower the batch size" });
    request.microbatchSize = 0; // the large ones overflow
    expectRefused(request, { "lower the batch size of 1000000" });
}

TEST(MakePlans, helpIsForWhatOverflows)
{
    auto request = handRequest(4, 2, 2e4, 8); // weights alone are more
    expectRefused(request, { "the optimizer sgd", "more stages or larger devices" });
    for (Layer& layer : request.model.layers)
        layer.parameters = 1;
    for (Layer& layer : request.model.layers)
        layer.stashBytes = 1e6; // activations alone are more
    expectRefused(request, { "shorter sequences" });
    const auto answer = makePlans(request);
    EXPECT_EQ(answer.error().message.find("sgd"), std::string::npos) << answer.error().message;
}

TEST(MakePlans, aLimitBelowWhatProgramsTakeSaysWhatTheyTake)
{
    auto request = handRequest(4, 2, 2e4, 8);
    for (Device& device : request.topology.devices)
        device.memoryBytes = 1e6;
    expectRefused(request, { "has none of its 977 KiB", "its context and fragments take 614 MiB" });
    for (Device& device : request.topology.devices)
        device.kind = DeviceKind::CpuWorker;
    expectRefused(request, { "has none of its 977 KiB", "the program's share is" });
}

TEST(MakePlans, aProfileOfImpossibleTimesIsNamedAndNotItsMemory)
{
    auto request = handRequest(4, 2, 1.5e5, 8);
    request.profile = Profile {};
    request.profile->layers.resize(request.model.layers.size());
    request.profile->layers[0].backward = 1e300;
    expectRefused(request, { "batch of 8 samples", "profile" });
    request.profile->layers[0].backward = 0;
    request.profile->updatePerParameter = 1e308;
    expectRefused(request, { "batch of 8 samples", "profile" });
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
        EXPECT_TRUE(ranked.prediction.feasible());
        EXPECT_LE(ranked.prediction.samplesPerSecond, before * (1 + kEqualSpeed));
        EXPECT_NE(ranked.why.find("is bounded by"), std::string::npos);
        before = ranked.prediction.samplesPerSecond;
    }
}

// The search has the sums of all layers at hand, the prediction adds a stage's own.
TEST(StageCosts, aStagesTimesAreThoseOfThePrediction)
{
    for (const char* schedule : { "2bw", "1f1b" })
        for (const double clip : { 0.0, 1.0 }) {
            PlannerRequest request = handRequest(8, 4, 1e9, 32, 2);
            request.optimizer.clipNorm = clip;
            const Model& model = request.model;
            Plan plan;
            plan.schedule = schedule;
            plan.topology = request.topology;
            plan.optimizer = request.optimizer;
            plan.microbatchSize = plan.microbatches = 4;
            plan.stages = { { 0, 4, { 0, 1 }, false }, { 5, 9, { 2, 3 }, false } };
            const auto demand = steadyDemand(scheduleRequest(plan, model, 1)).value();
            const planners::StageCosts costs(
                request, *findSchedule(schedule), { 2, 2, 4, 4 }, demand);
            for (int stage = 0; stage < 2; ++stage)
                for (int first = 0; first < 10; ++first)
                    for (int last = first; last < 10; ++last)
                        for (const bool again : { false, true }) {
                            const StageTimes quick = costs.times(stage, first, last, again);
                            const StageTimes whole = stageTimes(plan, model,
                                { first, last, plan.stages[std::size_t(stage)].devices, again },
                                demand.reduces);
                            EXPECT_NEAR(quick.forward, whole.forward, 1e-9 * whole.forward);
                            EXPECT_NEAR(quick.backward, whole.backward, 1e-9 * whole.backward);
                            EXPECT_NEAR(quick.recompute, whole.recompute, 1e-9 * whole.forward);
                            EXPECT_NEAR(quick.update, whole.update, 1e-9 * whole.update);
                            EXPECT_NEAR(quick.reduction, whole.reduction,
                                1e-9 * (whole.reduction + whole.backward));
                        }
        }
}

TEST(MakePlans, refusedPlansAreNumbersToo)
{
    PlannerRequest request;
    request.modelSource = "preset:gpt2-xl";
    request.model = *readModel(request.modelSource, {});
    request.topology = *readTopology("rtx4090:2");
    request.batchSize = 8;
    request.schedules = { "2bw", "1f1b" };
    const auto answer = makePlans(request);
    ASSERT_TRUE(answer) << answer.error().message;
    int overMemory = 0;
    for (const RejectedPlan& refused : answer->rejected) {
        EXPECT_EQ(refused.plan.rfind(refused.schedule + ", ", 0), 0U) << refused.plan;
        EXPECT_NE(refused.plan.find(layoutText(refused.depth, refused.width)), std::string::npos)
            << refused.plan;
        if (refused.microbatches > 0) {
            EXPECT_EQ(refused.microbatchSize * refused.microbatches * refused.width, 8);
        }
        if (refused.peakMemory > 0) {
            ++overMemory;
            EXPECT_GT(refused.peakMemory, deviceRoom(request.topology, 0)) << refused.reason;
            EXPECT_GT(refused.mostSamplesPerSecond, 0);
        }
    }
    EXPECT_GT(overMemory, 0);
}

TEST(Planner, aSearchThatIsStoppedEndsAtItsNextCandidate)
{
    PlannerRequest request = handRequest(12, 8, 0, 64);
    request.schedules = scheduleNames();
    int asked = 0;
    request.cancelled = [&] { return ++asked, false; };
    ASSERT_TRUE(makePlans(request));
    const int whole = asked;
    ASSERT_GT(whole, 100); // often enough to be heard soon
    for (const int at : { 1, whole / 3, whole - 1 }) {
        asked = 0;
        request.cancelled = [&] { return ++asked >= at; };
        const auto stopped = makePlans(request);
        ASSERT_FALSE(stopped) << at;
        EXPECT_EQ(stopped.error().kind, ErrorKind::Cancelled);
        // Once a layout on the way out of one schedule, and no candidate more.
        EXPECT_LT(asked, at + whole / 4) << at;
    }
}

} // namespace
} // namespace stageloom
