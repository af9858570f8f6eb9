// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/last_batches.h"

#include <gtest/gtest.h>

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
    const Trace run = batches.run();
    ASSERT_EQ(run.spans.size(), 12U);
    EXPECT_DOUBLE_EQ(run.spans.front().start, 0);
    EXPECT_EQ(run.devices, 2);
    EXPECT_DOUBLE_EQ(batches.stepSeconds(), 10);
    // Each device works 4 and 6 of 10 seconds: half of both is idle.
    EXPECT_NEAR(batches.bubbleFraction(), 0.5, 1e-12);
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
    EXPECT_DOUBLE_EQ(batches.bubbleFraction(), 0);
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
    for (int k = 0; k < LastBatches::kPlanned; ++k)
        for (const Span& s : batch(k))
            prediction->trace.spans.push_back(s);
    prediction->trace.devices = prediction->trace.stages = 2;
    prediction->trace.microbatches = 1;
    prediction->schedule.batches = LastBatches::kPlanned;
    LastBatches batches;
    batches.setPlanned(prediction);
    EXPECT_EQ(batches.plan().spans.size(), prediction->trace.spans.size()); // nothing measured yet
    for (int k = 50; k < 53; ++k)
        batches.append(batch(k));
    const Trace plan = batches.plan(), run = batches.run();
    ASSERT_EQ(plan.spans.size(), run.spans.size());
    double first = 1e9;
    for (const Span& s : plan.spans) {
        first = std::min(first, s.start);
        EXPECT_GE(s.batch, 50);
        EXPECT_LE(s.batch, 52);
        EXPECT_EQ(s.microbatch, s.batch);
    }
    EXPECT_DOUBLE_EQ(first, 0); // both on one clock
    // A batch that comes in pieces is shown when its last backward is there.
    const std::vector<Span> next = batch(53);
    batches.append({ next.begin(), next.begin() + 3 });
    EXPECT_EQ(batches.lastBatch(), 52);
    batches.append({ next.begin() + 3, next.end() });
    EXPECT_EQ(batches.lastBatch(), 53);
    EXPECT_EQ(batches.run().spans.size(), plan.spans.size());
}

} // namespace

} // namespace stageloom
