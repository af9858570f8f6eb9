// SPDX-License-Identifier: Apache-2.0
#include "core/plan/traffic.h"
#include "core/plan/cost_model.h"
#include "core/plan/memory_model.h"

#include <algorithm>
#include <map>

namespace stageloom {

std::vector<PairTraffic> planTraffic(const Plan& plan, const Model& model)
{
    std::map<std::pair<int, int>, PairTraffic> pairs;
    const auto between = [&](int a, int b) -> PairTraffic& {
        PairTraffic& pair = pairs[std::minmax(a, b)];
        std::tie(pair.a, pair.b) = std::minmax(a, b);
        return pair;
    };
    for (int s = 0; s + 1 < plan.depth(); ++s) {
        const auto& from = plan.stages[std::size_t(s)].devices;
        const auto& to = plan.stages[std::size_t(s) + 1].devices;
        const double bytes = borderBytes(plan, model, s);
        for (std::size_t r = 0; r < std::min(from.size(), to.size()); ++r) {
            if (from[r] == to[r])
                continue;
            PairTraffic& pair = between(from[r], to[r]);
            pair.activations += 2 * bytes * plan.microbatches;
            pair.hop = std::max(pair.hop, transferTime(plan, from[r], to[r], bytes));
        }
    }
    // A ring: each device sends on to the next.
    for (const PlanStage& stage : plan.stages) {
        if (stage.devices.size() < 2)
            continue;
        const double bytes = allReduceBytes(
            stageLoad(model, stage.firstLayer, stage.lastLayer).parameters, stage.devices.size());
        for (std::size_t i = 0; i < stage.devices.size(); ++i)
            between(stage.devices[i], stage.devices[(i + 1) % stage.devices.size()]).reductions
                += bytes;
    }
    std::vector<PairTraffic> all;
    for (const auto& [devices, pair] : pairs)
        all.push_back(pair);
    return all;
}

} // namespace stageloom
