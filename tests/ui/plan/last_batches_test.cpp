// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/registry.h"
#include "ui/state/last_batches.h"
#include "ui/timeline/range_statistics.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace stageloom {

namespace {

Span span(int stage, ActionKind kind, int batch, double start, double end)
{
    Span s;
    s.stage = static_cast<std::int16_t>(stage);
    s.device = s.stage;
    s.kind = kind;
    s.batch = s.microbatch = batch; // one microbatch a batch
    s.start = start;
    s.end = end;
    return s;
}

// Two stages, batch k from 100 + 10k: forward 0–2, forward 2–5, backward 5–8, backward 8–10.
std::vector<Span> batch(int k, double late = 0)
{
    const double t = 100 + 10.0 * k;
    return { span(0, ActionKind::Forward, k, t, t + 2),
        span(1, ActionKind::Forward, k, t + 2, t + 5),
        span(1, ActionKind::Backward, k, t + 5, t + 8 + late),
        span(0, ActionKind::Backward, k, t + 8 + late, t + 10 + late) };
}

TEST(LastBatches, keepsTheNewestAndBeginsAtTheirFirstForward)
{
    LastBatches batches;
    for (int k = 0; k < 5; ++k)
        batches.append(batch(k));
    EXPECT_EQ(batches.firstBatch(), 2);
    EXPECT_EQ(batches.lastBatch(), 4);
    const BatchesPart& run = batches.run();
    ASSERT_EQ(run.trace.spans.size(), 16U); // and the batch before
    EXPECT_EQ(run.window.begin, 0);
    EXPECT_EQ(run.window.end, 30);
    EXPECT_EQ(run.trace.devices, 2);
    const auto first = std::ranges::find(run.trace.spans, 2, &Span::batch);
    EXPECT_EQ(first->start, 0);
    EXPECT_DOUBLE_EQ(batches.stepSeconds(), 10);
    // The devices work 4 and 6 of 10 seconds: half of both is idle.
    ASSERT_TRUE(batches.bubbleFraction());
    EXPECT_NEAR(*batches.bubbleFraction(), 0.5, 1e-12);
}

// Without a flush the last stage is ahead: it already works at a batch that is not shown yet.
TEST(LastBatches, aPipelineThatNeverWaitsHasNoBubble)
{
    LastBatches batches;
    for (int k = 0; k < 4; ++k) {
        const double t = 10.0 * k;
        batches.append({ span(1, ActionKind::Forward, k, t, t + 4),
            span(1, ActionKind::Backward, k, t + 4, t + 10),
            span(0, ActionKind::Forward, k, t - 4, t),
            span(0, ActionKind::Backward, k, t + 10, t + 16) });
    }
    ASSERT_TRUE(batches.bubbleFraction());
    EXPECT_NEAR(*batches.bubbleFraction(), 0, 1e-12);
}

TEST(LastBatches, namesTheLateOperationAndNothingWhereAllAreAlike)
{
    LastBatches batches;
    for (int k = 0; k < 3; ++k)
        batches.append(batch(k));
    EXPECT_FALSE(batches.late().has_value());
    batches.clear();
    for (int k = 0; k < 3; ++k)
        batches.append(batch(k, k == 2 ? 7 : 0));
    ASSERT_TRUE(batches.late().has_value());
    EXPECT_EQ(batches.late()->span.stage, 1);
    EXPECT_EQ(batches.late()->span.kind, ActionKind::Backward);
    EXPECT_EQ(batches.late()->span.batch, 2);
    EXPECT_DOUBLE_EQ(batches.late()->usual, 3);
}

TEST(LastBatches, saysWhoWaitsForWhom)
{
    LastBatches batches;
    for (int k = 0; k < 3; ++k)
        batches.append(batch(k));
    const std::vector<DeviceWait> waits = batches.waits();
    ASSERT_EQ(waits.size(), 2U);
    EXPECT_EQ(waits[0].forDevice, 1); // its backwards wait for the gradients of stage 1
    EXPECT_EQ(waits[0].kind, ActionKind::Backward);
    EXPECT_NEAR(waits[0].seconds, 6, 1e-12);
    EXPECT_EQ(waits[1].forDevice, 0); // its forwards for the activations of stage 0
    EXPECT_EQ(waits[1].kind, ActionKind::Forward);
}

TEST(LastBatches, renumbersThePlanToTheBatchesShown)
{
    auto prediction = std::make_shared<Prediction>();
    constexpr int kPlanned = 6; // two stages of one microbatch fill in two batches
    for (int k = 0; k < kPlanned; ++k)
        for (const Span& s : batch(k))
            prediction->trace.spans.push_back(s);
    prediction->trace.devices = prediction->trace.stages = 2;
    prediction->trace.microbatches = 1;
    prediction->schedule.batches = kPlanned;
    LastBatches batches;
    batches.setPlanned(prediction);
    EXPECT_EQ(batches.plan().trace.spans.size(), prediction->trace.spans.size());
    EXPECT_EQ(batches.plan().ends, TraceEnds::Whole); // nothing measured yet
    for (int k = 50; k < 53; ++k)
        batches.append(batch(k));
    const BatchesPart plan = batches.plan();
    EXPECT_EQ(plan.ends, TraceEnds::Cut);
    EXPECT_EQ(plan.window.begin, batches.run().window.begin); // both on one clock
    EXPECT_EQ(plan.window.end, batches.run().window.end);
    for (const Span& s : plan.trace.spans) {
        EXPECT_EQ(s.microbatch, s.batch);
        EXPECT_EQ(s.start >= 0 && s.end <= 30, s.batch >= 50 && s.batch <= 52);
    }
    // A batch that comes in pieces is shown when its last backward is there.
    const std::vector<Span> next = batch(53);
    batches.append({ next.begin(), next.begin() + 3 });
    EXPECT_EQ(batches.lastBatch(), 52);
    batches.append({ next.begin() + 3, next.end() });
    EXPECT_EQ(batches.lastBatch(), 53);
    EXPECT_EQ(batches.run().window.end, plan.window.end);
}

// A batch of which something was lost is no whole batch, and nothing is shown across it.
TEST(LastBatches, doesNotShowABatchThatWasLostInPart)
{
    auto prediction = std::make_shared<Prediction>();
    for (const Span& s : batch(0))
        prediction->trace.spans.push_back(s);
    prediction->trace.devices = prediction->trace.stages = 2;
    prediction->trace.microbatches = 1;
    LastBatches batches;
    batches.setPlanned(prediction);
    batches.append(batch(3));
    std::vector<Span> part = batch(4);
    part.erase(part.begin() + 2);
    batches.append(part);
    EXPECT_EQ(batches.lastBatch(), 3);
    batches.append(batch(5));
    EXPECT_EQ(batches.firstBatch(), 5);
    EXPECT_EQ(batches.lastBatch(), 5);
}

struct Measured {
    std::shared_ptr<Prediction> prediction;
    std::vector<std::vector<Span>> pieces; // as devices would report
};

// A simulated run of a steady pipeline and the prediction of it.
Measured simulated(const std::string& name, const std::vector<StageTimes>& stages, double hop)
{
    const auto depth = static_cast<int>(stages.size());
    ScheduleRequest request;
    request.name = name;
    request.depth = depth;
    request.microbatches = 2 * depth;
    SimulationInput input;
    input.stages = stages;
    input.hops.assign(stages.size() - 1, hop);
    const auto trace = [&](int batches) {
        request.batches = batches;
        return simulate(makeSchedule(request).value(), input).value();
    };
    Measured measured { std::make_shared<Prediction>(), {} };
    measured.prediction->trace = trace(6);
    measured.prediction->metrics = measure(measured.prediction->trace);
    std::vector<Span> spans = trace(9).spans;
    std::ranges::stable_sort(spans, {}, &Span::end);
    std::mt19937 random(3);
    for (std::size_t i = 0; i < spans.size();) {
        const std::size_t to = std::min(spans.size(), i + random() % 40);
        measured.pieces.emplace_back(spans.begin() + long(i), spans.begin() + long(to));
        i = to;
    }
    return measured;
}

double idleOf(const BatchesPart& part)
{
    const auto times = part.times();
    const auto shares = idleShares(times, part.counted().end - part.counted().begin);
    return std::accumulate(shares.begin(), shares.end(), 0.0);
}

// What the timeline says of a range of it.
double idleOfRange(const BatchesPart& part)
{
    const auto range = [](const Window& window) { return TimeRange { window.begin, window.end }; };
    TimelineModel model;
    model.setTrace(TraceSide::Run, part.trace, { part.ends, range(part.shown) });
    const RangeStatistics row = statistics(model, TraceSide::Run, range(part.counted()));
    return std::accumulate(row.idle.begin(), row.idle.end(), 0.0);
}

TEST(LastBatches, theBubbleTheIdleSharesAndTheSteadyBubbleAgree)
{
    for (const char* name : { "2bw", "1f1b" })
        for (const double hop : { 0.0, 0.5 }) {
            const Measured run = simulated(
                name, { { 1, 2, -1, -1, 0, 0.25 }, { 2, 4 }, { 1.5, 3, -1, -1, 0, 1 } }, hop);
            LastBatches batches;
            batches.setPlanned(run.prediction);
            for (const auto& piece : run.pieces) {
                batches.append(piece);
                if (batches.isEmpty() || batches.firstBatch() < 3)
                    continue;
                ASSERT_TRUE(batches.bubbleFraction());
                const double bubble = *batches.bubbleFraction();
                ASSERT_NEAR(bubble, run.prediction->metrics.steadyBubbleFraction.value(), 5e-4)
                    << name << " " << hop;
                ASSERT_NEAR(idleOf(batches.run()), bubble, 1e-9);
                ASSERT_NEAR(idleOfRange(batches.run()), bubble, 1e-9);
                ASSERT_NEAR(idleOf(batches.plan()), bubble, 5e-4) << name << " " << hop;
                ASSERT_NEAR(idleOfRange(batches.plan()), idleOf(batches.plan()), 1e-9);
            }
            EXPECT_EQ(batches.lastBatch(), 8);
        }
}

// What the first stage does for the next batch and the last stage for the one before is work.
TEST(LastBatches, workForTheNeighboursIsNotIdle)
{
    const Measured run = simulated("2bw", { { 1, 2 }, { 1, 2 }, { 1, 2 }, { 1, 2 } }, 0);
    LastBatches batches;
    batches.setPlanned(run.prediction);
    for (const auto& piece : run.pieces) {
        batches.append(piece);
        if (batches.isEmpty() || batches.firstBatch() < 2 || batches.lastBatch() > 6)
            continue;
        // Equal stages without links never wait between filling and draining.
        ASSERT_NEAR(*batches.bubbleFraction(), 0, 1e-9);
        for (const DeviceWait& wait : batches.waits())
            ASSERT_NEAR(wait.seconds, 0, 1e-9);
    }
    EXPECT_EQ(batches.lastBatch(), 8);
}

} // namespace

} // namespace stageloom
