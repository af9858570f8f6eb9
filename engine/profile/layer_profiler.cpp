// SPDX-License-Identifier: Apache-2.0
#include "engine/profile/layer_profiler.h"

#include "core/base/units.h"
#include "engine/exec/thread_setup.h"
#include "engine/optim/grad_norm.h"
#include "engine/optim/weight_versions.h"
#include "engine/profile/hop_probe.h"
#include "engine/profile/layer_pass.h"
#include <algorithm>
#include <barrier>
#include <chrono>
#include <thread>
#include <unistd.h>

namespace stageloom::engine {

namespace {
using Clock = std::chrono::steady_clock;

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// The samples of one side-by-side measurement, by layer.
struct Samples {
    std::vector<std::vector<double>> forward, backward;
    std::vector<double> updatePerParameter;
};

void take(Samples& samples, const PassTimes& times)
{
    samples.forward.resize(times.forward.size());
    samples.backward.resize(times.backward.size());
    for (std::size_t i = 0; i < times.forward.size(); ++i) {
        samples.forward[i].push_back(times.forward[i]);
        samples.backward[i].push_back(times.backward[i]);
    }
    samples.updatePerParameter.push_back(times.updatePerParameter);
}

// Of the two ways to the end, whichever is nearer to it.
double progressOf(const ProfilerOptions& options, int passes, double seconds)
{
    const double all = double(passes) / (options.warmup + options.passes),
                 three = double(passes) / (options.warmup + 3);
    return std::max(std::min(all, seconds / options.secondsLeast),
        std::min(three, seconds / options.secondsWanted));
}

// Each thread has the model for itself. What does not fit would swap or be killed, so it is
// refused.
Status checkMemory(const Plan& plan, const Model& model, int sideBySide)
{
    // Two versions and a gradient, and the optimizer's moments; all fp32.
    const double moments = plan.optimizer.kind == OptimizerKind::Sgd ? 1 : 2;
    double each = double(model.parameters) * 4 * (3 + moments);
    for (const auto& layer : model.layers)
        each += layer.stashBytes * plan.microbatchSize;
    const double memory = double(::sysconf(_SC_PHYS_PAGES)) * double(::sysconf(_SC_PAGESIZE));
    if (each * sideBySide <= memory)
        return {};
    return fail(ErrorKind::Infeasible,
        "timing this model takes {} for each of {} stages side by side, and this machine has {}: "
        "take fewer stages, a shorter sequence, smaller microbatches or a smaller model",
        formatBytes(each), sideBySide, formatBytes(memory));
}

// Runs passes on every thread at once; thread 0 decides when it is enough and its samples count.
Samples measureSideBySide(
    std::vector<std::unique_ptr<LayerPass>>& passes, const ProfilerOptions& options)
{
    Samples samples;
    std::barrier together(static_cast<std::ptrdiff_t>(passes.size()));
    std::atomic<bool> enough = false;
    const auto work = [&](std::size_t thread) {
        configureComputeThread(options.threadsPerStage);
        const at::NoGradGuard noGrad;
        const auto start = Clock::now();
        for (int i = 0; !enough; ++i) {
            together.arrive_and_wait();
            const PassTimes times = passes[thread]->run();
            if (thread == 0) {
                if (i >= options.warmup)
                    take(samples, times);
                const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
                const int counted = i + 1 - options.warmup;
                enough = (counted >= options.passes && seconds > options.secondsLeast)
                    || (counted >= 3 && seconds > options.secondsWanted);
                if (options.progress)
                    options.progress(progressOf(options, i + 1, seconds));
            }
            together.arrive_and_wait();
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < passes.size(); ++t)
        threads.emplace_back(work, t);
    for (std::thread& thread : threads)
        thread.join();
    return samples;
}
}

Result<Profile> profileLayers(const Plan& plan, const Model& model, const ProfilerOptions& options)
{
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    const int sideBySide = std::clamp(cores / options.threadsPerStage, 1, plan.depth());
    if (const Status fits = checkMemory(plan, model, sideBySide); !fits)
        return failure(fits);
    std::vector<std::unique_ptr<LayerPass>> passes;
    for (int t = 0; t < sideBySide; ++t) {
        auto pass = LayerPass::create(model, plan.optimizer, plan.microbatchSize, plan.seq);
        if (!pass)
            return failure(pass);
        passes.push_back(std::move(*pass));
    }
    const Samples samples = measureSideBySide(passes, options);
    Profile profile;
    profile.microbatchSize = plan.microbatchSize;
    profile.seq = plan.seq;
    profile.deviceKind = "cpu-worker";
    profile.device = fmt::format("CPU, {} of {} cores busy, {} thread a stage",
        sideBySide * options.threadsPerStage, cores, options.threadsPerStage);
    profile.updatePerParameter = median(samples.updatePerParameter);
    profile.hop = handOverSeconds(sideBySide > 1);
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        LayerTime time;
        time.name = model.layers[i].name;
        time.forward = time.recompute = median(samples.forward[i]);
        time.backward = median(samples.backward[i]);
        time.recomputeGiven = true;
        profile.layers.push_back(time);
    }
    return profile;
}

} // namespace stageloom::engine
