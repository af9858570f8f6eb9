// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exec/activation_stash.h"
#include "engine/exec/executor.h"
#include "engine/exec/list_facts.h"
#include "engine/profile/span_recorder.h"
#include <deque>

namespace stageloom::engine {

// What one stage owns while it runs. Touched by its worker's thread only.
struct StageState {
    struct Accumulator {
        at::Tensor flat;
        std::vector<at::Tensor> views; // slot order
    };

    StageState(const StageParts& stageParts, int accumulatorCount, at::ScalarType dtype,
        SpanRecorder spanRecorder)
        : parts(&stageParts)
        , spans(std::move(spanRecorder))
    {
        for (int i = 0; i < accumulatorCount; ++i) {
            Accumulator accumulator;
            accumulator.flat = at::zeros({ stageParts.module->flatElements() },
                at::device(stageParts.device).dtype(dtype));
            accumulator.views = stageParts.module->views(accumulator.flat);
            accumulators.push_back(std::move(accumulator));
        }
    }

    // Update t's gradient never meets that of t+1: deferred updates have two accumulators in turn.
    Accumulator& accumulator(std::int64_t update)
    {
        return accumulators[static_cast<std::size_t>(update) % accumulators.size()];
    }

    const StageParts* parts;
    std::vector<Accumulator> accumulators;
    ActivationStash stash;
    SpanRecorder spans;
    std::deque<double> losses; // last stage: of the batches that are not finished, oldest first
    std::int64_t firstLoss = 0; // batch of losses.front()
};

} // namespace stageloom::engine
