// SPDX-License-Identifier: Apache-2.0
#include "core/plan/two_bw_closed_form.h"

#include <algorithm>

namespace stageloom::planners {

ClosedFormChoice score(const ClosedForm& f, int w, int d, int b, Execution execution)
{
    const bool again = execution == Execution::PipelineRecompute;
    const bool straight = execution == Execution::NoPipeline;
    const double total = f.totalPerSample * b, input = f.inputPerSample * b;
    ClosedFormChoice choice { w, d, b, execution };
    // §3.3; without a pipeline one version and no stash of other microbatches.
    const double weights = f.weightBytes / d;
    if (straight)
        choice.memory = weights + total / d + input;
    else
        choice.memory = 2 * weights + (again ? total / d : total) + d * input;
    // §3.2: transfers add to compute, the all-reduce hides behind a batch of it.
    const double compute = double(f.blocks) / d * f.blockTime(b) * (again ? f.extra : 1);
    const double transfer = d > 1 ? 2 * f.boundaryPerSample * b / f.depthBandwidth : 0;
    const double widthBandwidth = w < f.gpusPerServer ? f.widthHigh : f.widthLow;
    const double reduction = 2.0 * (w - 1) / w * weights / widthBandwidth;
    const double microbatches = f.batch / (double(w) * b);
    const double stage = std::max(compute + transfer, reduction / microbatches);
    choice.time = straight ? d * stage : stage;
    choice.rate = w * b / choice.time;
    return choice;
}

std::optional<ClosedFormChoice> choose(const ClosedForm& f)
{
    std::optional<ClosedFormChoice> best;
    for (int w = 1; w <= f.workers; ++w) {
        const int d = f.workers / w;
        if (w * d != f.workers || f.blocks % d != 0)
            continue;
        for (const int b : f.microbatchSizes) {
            if (double(b) * w * d > f.batch)
                continue;
            for (const Execution execution :
                { Execution::NoPipeline, Execution::Pipeline, Execution::PipelineRecompute }) {
                const ClosedFormChoice choice = score(f, w, d, b, execution);
                if (choice.memory <= f.memory && (!best || choice.rate > best->rate))
                    best = choice;
            }
        }
    }
    return best;
}

double memory2020(const Planner2020& p, int d)
{
    const int blocks = p.blocks < d ? p.blocks + d : p.blocks;
    const double each = blocks / d;
    return 4 * (2 * p.blockParameters * each + p.blockActivations * each * d);
}

double cost2020(const Planner2020& p, int w, int d)
{
    const double each = p.blocks / d;
    const double bandwidth = w <= 8 ? 1e11 : 1e9;
    return std::max({ p.blockTime * each, 2 * p.outputActivations / 1e9,
               2 * (w - 1) * p.blockParameters * each / bandwidth })
        / w;
}

std::optional<Choice2020> choose2020(const Planner2020& p)
{
    std::optional<Choice2020> best;
    for (int w = 1; w <= p.workers; ++w)
        for (int d = 1; d <= p.workers; ++d) {
            if (w * d != p.workers || memory2020(p, d) > p.memory)
                continue;
            const double cost = cost2020(p, w, d);
            if (!best || cost < best->cost)
                best = Choice2020 { w, d, cost };
        }
    return best;
}

} // namespace stageloom::planners
