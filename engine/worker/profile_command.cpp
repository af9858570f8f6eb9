// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/profile_command.h"

#include "core/base/files.h"
#include "engine/profile/layer_profiler.h"
#include <algorithm>
#include <cstdio>

namespace stageloom::engine {

Status profilePlan(const ProfilePlace& place)
{
    const auto plan = readPlan(place.plan);
    if (!plan)
        return failure(plan);
    const auto model = planModel(*plan);
    if (!model)
        return failure(model);
    if (plan->dtype != Dtype::Fp32)
        return fail(ErrorKind::Unsupported, "The plan trains in {}; layers are timed in fp32.",
            toString(plan->dtype));
    ProfilerOptions options;
    options.threadsPerStage = place.threads;
    options.progress = [](double fraction) {
        fmt::print("progress {:.3f}\n", std::clamp(fraction, 0.0, 1.0));
        std::fflush(stdout);
    };
    const auto profile = profileLayers(*plan, *model, options);
    if (!profile)
        return failure(profile);
    return writeFileAtomically(place.output, dumpJson(toJson(*profile)));
}

} // namespace stageloom::engine
