// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/commands.h"

#include "core/base/files.h"
#include "engine/profile/layer_profiler.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

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
    if (const int cores = int(std::thread::hardware_concurrency());
        cores > 0 && place.threads > cores)
        return fail(ErrorKind::Invalid, "--threads is {}, and this machine has {} cores.",
            place.threads, cores);
    ProfilerOptions options;
    options.threadsPerStage = place.threads;
    // Who reads it takes time from what is measured: a few times a second will do.
    auto said = std::chrono::steady_clock::now();
    options.progress = [&said](double fraction) {
        const auto now = std::chrono::steady_clock::now();
        if (fraction < 1 && now - said < std::chrono::milliseconds(200))
            return;
        said = now;
        fmt::print("progress {:.3f}\n", std::clamp(fraction, 0.0, 1.0));
        std::fflush(stdout);
    };
    const auto profile = profileLayers(*plan, *model, options);
    if (!profile)
        return failure(profile);
    return writeFileAtomically(place.output, dumpJson(toJson(*profile)));
}

} // namespace stageloom::engine
