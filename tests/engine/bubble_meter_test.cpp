// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/registry.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"
#include "engine/worker/bubble_meter.h"

#include <gtest/gtest.h>

using namespace stageloom;

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
            for (int batch = 0; batch < batches; ++batch) {
                std::vector<Span> spans;
                for (const Span& span : trace.spans)
                    if (span.batch == batch)
                        spans.push_back(span);
                meter.add(spans);
            }
            ASSERT_TRUE(meter.bubbleFraction()) << name << " " << batches;
            EXPECT_NEAR(*meter.bubbleFraction(), expected, 1e-9) << name << " " << batches;
        }
}
