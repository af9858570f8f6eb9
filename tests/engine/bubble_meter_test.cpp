// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/registry.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"
#include "engine/worker/meters.h"

#include <gtest/gtest.h>

using namespace stageloom;

namespace {

Trace simulated(int depth, int batches)
{
    ScheduleRequest request;
    request.name = "2bw";
    request.depth = depth;
    request.microbatches = 2;
    request.batches = batches;
    SimulationInput input;
    input.stages.assign(std::size_t(depth), { .forward = 1, .backward = 2 });
    return simulate(makeSchedule(request).value(), input).value();
}

// What had not begun at `from` begins `length` later, as in a run that is paused or evaluates.
Trace heldUp(Trace trace, double from, double length)
{
    for (Span& span : trace.spans)
        if (span.start >= from) {
            span.start += length;
            span.end += length;
        }
    return trace;
}

void addBatches(engine::BubbleMeter& meter, const Trace& trace, int batches)
{
    for (int batch = 0; batch < batches; ++batch) {
        std::vector<Span> spans;
        for (const Span& span : trace.spans)
            if (span.batch == batch)
                spans.push_back(span);
        meter.add(spans);
    }
}

} // namespace

// Folding pieces away must give what one look at the whole run gives, on either side of the first
// folds.
TEST(BubbleMeter, aFoldedRunMeasuresAsTheWholeTraceDoes)
{
    for (const char* name : { "2bw", "1f1b" })
        for (const int batches : { 5, 63, 64, 65, 160, 400 }) {
            ScheduleRequest request;
            request.name = name;
            request.depth = 2;
            request.microbatches = 2;
            request.batches = batches;
            SimulationInput input;
            input.stages
                = { { .forward = 0.9, .backward = 2.1 }, { .forward = 1.1, .backward = 2.3 } };
            const Trace trace = simulate(makeSchedule(request).value(), input).value();
            const Window window = steadyWindow(trace);
            const double expected = measure(trace, window.begin, window.end).bubbleFraction;

            engine::BubbleMeter meter(2, 2, 2);
            addBatches(meter, trace, batches);
            ASSERT_TRUE(meter.bubbleFraction()) << name << " " << batches;
            EXPECT_NEAR(*meter.bubbleFraction(), expected, 1e-9) << name << " " << batches;
        }
}

// One device works without a gap: whatever is idle is the hold, and that is left out, before and
// after pieces were folded away.
TEST(BubbleMeter, aHoldIsNoBubble)
{
    for (const int batches : { 20, 200 }) {
        const Trace trace = heldUp(simulated(1, batches), 60, 500); // 6 a batch: after the tenth
        engine::BubbleMeter blind(1, 1, 2), meter(1, 1, 2);
        addBatches(blind, trace, batches);
        meter.addHold({ 60, 560 });
        addBatches(meter, trace, batches);
        EXPECT_GT(blind.bubbleFraction().value(), 0.2);
        EXPECT_NEAR(meter.bubbleFraction().value(), 0, 1e-12);
        EXPECT_NEAR(meter.busyShares().at(0), 1, 1e-12);
    }
}

// Work that was under way when the hold began is busy time, and the device that did it starts again
// later by as much: that much idle time, and no more, is the hold's own.
TEST(BubbleMeter, workUnderWayDuringAHoldCounts)
{
    const int batches = 40;
    const Trace plain = simulated(2, batches);
    const double from = 100.5;
    double underWay = 0;
    for (const Span& span : plain.spans)
        if (isCompute(span.kind) && span.start < from && span.end > from)
            underWay += span.end - from;
    ASSERT_GT(underWay, 0);
    const Window window = steadyWindow(plain);
    const double available = 2 * (window.end - window.begin),
                 busy = available * (1 - measure(plain, window.begin, window.end).bubbleFraction);
    engine::BubbleMeter meter(2, 2, 2);
    meter.addHold({ from, from + 70 });
    addBatches(meter, heldUp(plain, from, 70), batches);
    EXPECT_NEAR(meter.bubbleFraction().value(), 1 - busy / (available + underWay), 1e-9);
}

TEST(HeldTime, piecesOfSeveralWorkersAreOneHold)
{
    engine::HeldTime held;
    held.add({ 5, 7 });
    held.add({ 1, 2 });
    held.add({ 6, 9 });
    held.add({ 20, 21 });
    held.add({ 8, 10 });
    EXPECT_DOUBLE_EQ(held.before(100), 1 + 5 + 1);
    EXPECT_DOUBLE_EQ(held.before(6), 1 + 1);
    EXPECT_DOUBLE_EQ(held.before(1), 0);
    const auto pieces = held.within(1.5, 20.5);
    ASSERT_EQ(pieces.size(), 3u);
    EXPECT_DOUBLE_EQ(pieces[0].start, 1.5);
    EXPECT_DOUBLE_EQ(pieces[1].end, 10);
    EXPECT_DOUBLE_EQ(pieces[2].end, 20.5);
}
