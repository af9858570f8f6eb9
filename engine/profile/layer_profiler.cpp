// SPDX-License-Identifier: Apache-2.0
#include "engine/profile/layer_profiler.h"

#include "core/base/units.h"
#include "engine/device/device.h"
#include "engine/foreign_error.h"
#include "engine/nn/build_stage.h"
#include "engine/optim/grad_norm.h"
#include "engine/optim/weight_versions.h"
#include "engine/transport/mailbox.h"
#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace stageloom::engine {

namespace {
using Clock = std::chrono::steady_clock;

class Stopwatch {
public:
    double lap()
    {
        const auto now = std::chrono::steady_clock::now();
        return std::chrono::duration<double>(now - std::exchange(m_last, now)).count();
    }

private:
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
};

struct PassTimes {
    std::vector<double> forward, backward; // seconds, by layer
    double updatePerParameter = 0; // seconds; norm and optimizer step
};

// One microbatch through a whole model, layer by layer, with a stopwatch between the layers. One
// thread.
class LayerPass {
public:
    static Result<std::unique_ptr<LayerPass>> create(const Model& model,
        const OptimizerSettings& settings, int microbatchSize, std::int64_t seq);
    PassTimes run(const std::function<void(double)>& done); // the share of the pass so far

private:
    struct LayerState {
        std::unique_ptr<StageModule> module; // of this layer alone
        std::unique_ptr<WeightVersions> versions;
        std::unique_ptr<Optimizer> optimizer;
        at::Tensor gradient; // flat
        std::vector<at::Tensor> gradientViews;
    };
    double update();

    std::vector<LayerState> m_layers;
    MicrobatchData m_data;
    std::int64_t m_parameters = 0;
};

Result<std::unique_ptr<LayerPass>> LayerPass::create(
    const Model& model, const OptimizerSettings& settings, int microbatchSize, std::int64_t seq)
{
    auto pass = std::make_unique<LayerPass>();
    for (int i = 0; i < static_cast<int>(model.layers.size()); ++i) {
        auto module = buildStage(model, i, i);
        if (!module)
            return failure(module);
        LayerState layer;
        layer.module = std::move(*module);
        // Two buffers, as 2BW has: updates write where nothing was read lately.
        layer.versions = std::make_unique<WeightVersions>(*layer.module, 2);
        initialize(*layer.module, layer.versions->flat(0), 1);
        layer.optimizer = makeOptimizer(settings, *layer.module);
        layer.gradient = at::zeros({ layer.module->flatElements() }, at::kFloat);
        layer.gradientViews = layer.module->views(layer.gradient);
        pass->m_parameters += layer.module->flatElements();
        pass->m_layers.push_back(std::move(layer));
    }
    const std::int64_t vocabulary = model.shape.vocab;
    pass->m_data.tokens = at::arange(microbatchSize * seq, at::kLong)
                              .mul(7919)
                              .remainder(vocabulary)
                              .view({ microbatchSize, seq });
    pass->m_data.targets = pass->m_data.tokens.roll(-1, 1).contiguous();
    return pass;
}

PassTimes LayerPass::run(const std::function<void(double)>& done)
{
    PassTimes times;
    std::vector<StageStash> stashes(m_layers.size());
    at::Tensor value;
    Stopwatch watch;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        const LayerState& layer = m_layers[i];
        stashes[i].data = m_data;
        value = layer.module->forward(
            layer.versions->weights(layer.versions->newest()), value, stashes[i]);
        times.forward.push_back(watch.lap());
        done(double(i + 1) / double(2 * m_layers.size()));
        watch.lap();
    }
    times.backward.resize(m_layers.size());
    at::Tensor gradient;
    watch.lap();
    for (std::size_t i = m_layers.size(); i-- > 0;) {
        const LayerState& layer = m_layers[i];
        gradient = layer.module->backward(layer.versions->weights(layer.versions->newest()),
            layer.gradientViews, gradient, stashes[i]);
        stashes[i] = {};
        times.backward[i] = watch.lap();
        done(1 - double(i) / double(2 * m_layers.size()));
        watch.lap();
    }
    times.updatePerParameter = update() / static_cast<double>(m_parameters);
    return times;
}

double LayerPass::update()
{
    Stopwatch watch;
    UpdateInput input;
    input.learningRate = 0; // the time is the same, and the weights stay what they are
    for (LayerState& layer : m_layers) {
        (void)squaredNormsOfSlots(*layer.module, layer.gradient);
        layer.versions->update(*layer.optimizer, layer.gradient, input);
    }
    return watch.lap();
}

// Median one-way time of a hand-over between two threads, in seconds; `spin` as in a run that has a
// core a worker.
double handOverSeconds(bool spin)
{
    constexpr std::int64_t kRounds = 400, kSkipped = 50;
    RunSignals signals(std::chrono::seconds(10), spin);
    Mailbox there(0, 1, 1, "the probe"), back(1, 0, 1, "the probe");
    std::jthread peer([&] {
        for (std::int64_t i = 0; i < kRounds; ++i) {
            auto tensor = there.take(i, signals);
            if (!tensor)
                return;
            back.put(i, std::move(*tensor));
        }
    });
    std::vector<double> times;
    at::Tensor tensor = at::zeros({ 1 });
    for (std::int64_t i = 0; i < kRounds; ++i) {
        const auto start = std::chrono::steady_clock::now();
        there.put(i, std::move(tensor));
        auto answer = back.take(i, signals);
        if (!answer)
            break;
        tensor = std::move(*answer);
        if (i >= kSkipped)
            times.push_back(
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()
                / 2);
    }
    peer.join();
    if (times.empty())
        return 0;
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

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
double progressOf(const ProfilerOptions& options, double passes, double seconds)
{
    const double all = passes / (options.warmup + options.passes),
                 three = passes / (options.warmup + 3);
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
class SideBySide {
public:
    SideBySide(std::vector<std::unique_ptr<LayerPass>>& passes, const ProfilerOptions& options)
        : m_passes(passes)
        , m_options(options)
        , m_together(static_cast<std::ptrdiff_t>(passes.size()))
    {
    }
    Result<Samples> measure();

private:
    Status work(std::size_t thread);
    void giveUp(const Error& error);
    void count(const PassTimes& times, int pass, double seconds);

    std::vector<std::unique_ptr<LayerPass>>& m_passes;
    const ProfilerOptions& m_options;
    std::barrier<> m_together;
    std::atomic<bool> m_enough = false;
    Samples m_samples; // thread 0's
    std::mutex m_mutex; // guards the one below
    Status m_status;
};

Result<Samples> SideBySide::measure()
{
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < m_passes.size(); ++t) {
            const Status started = caught("The measurement", [&]() -> Status {
                threads.emplace_back([this, t] {
                    const Status done = caught("The measurement", [&] { return work(t); });
                    if (!done)
                        giveUp(done.error());
                    m_together.arrive_and_drop(); // no other waits for it any more
                });
                return {};
            });
            if (started)
                continue;
            giveUp(started.error());
            for (std::size_t missing = t; missing < m_passes.size(); ++missing)
                m_together.arrive_and_drop();
            break;
        }
    }
    if (!m_status)
        return failure(m_status);
    if (m_options.progress)
        m_options.progress(1); // it may have been enough before
    return std::move(m_samples);
}

void SideBySide::giveUp(const Error& error)
{
    const std::lock_guard lock(m_mutex);
    if (m_status)
        m_status = tl::unexpected<Error>(error);
    m_enough = true;
}

Status SideBySide::work(std::size_t thread)
{
    configureComputeThread(m_options.threadsPerStage);
    const at::NoGradGuard noGrad;
    const auto start = Clock::now();
    const auto seconds
        = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    for (int i = 0; !m_enough; ++i) {
        m_together.arrive_and_wait();
        const PassTimes times = m_passes[thread]->run([&](double share) {
            if (thread == 0 && m_options.progress)
                m_options.progress(progressOf(m_options, i + share, seconds()));
        });
        if (thread == 0)
            count(times, i, seconds());
        m_together.arrive_and_wait();
    }
    return {};
}

void SideBySide::count(const PassTimes& times, int pass, double seconds)
{
    if (pass >= m_options.warmup)
        take(m_samples, times);
    const int counted = pass + 1 - m_options.warmup;
    if ((counted >= m_options.passes && seconds > m_options.secondsLeast)
        || (counted >= 3 && seconds > m_options.secondsWanted))
        m_enough = true;
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
    const auto measured = SideBySide(passes, options).measure();
    if (!measured)
        return failure(measured);
    const Samples& samples = *measured;
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
