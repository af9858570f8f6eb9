// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/commands.h"

#include "core/plan/plan_schedule.h"
#include "engine/exec/microbatch_source.h"
#include "engine/worker/environment.h"
#include "engine/worker/meters.h"
#include "engine/worker/run_builder.h"
#include <algorithm>
#include <thread>

namespace stageloom::engine {

namespace {
constexpr int kHeadSize = 64;

class Generator {
public:
    Generator(std::uint64_t seed, std::uint64_t step)
        : m_state(0x9E3779B97F4A7C15ULL ^ (seed * 1000003ULL + step))
    {
    }
    std::int64_t next(std::int64_t below)
    {
        m_state = m_state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::int64_t>((m_state >> 33) % static_cast<std::uint64_t>(below));
    }

private:
    std::uint64_t m_state;
};

// Synthetic text for benchmarks: an order-1 chain next = (5·current + 7 + r) mod vocabulary, r in
// 0..3 from a 64-bit congruential generator that starts anew every step. Its entropy is ln 4. Made
// before the clock starts.
class ChainSource : public MicrobatchSource {
public:
    struct Shape {
        int steps = 1, microbatches = 1, microbatchSize = 1;
        std::int64_t seq = 1, vocabulary = 256;
        std::uint64_t seed = 1234;
    };
    explicit ChainSource(const Shape& shape);
    Result<MicrobatchData> microbatch(std::int64_t k, const RunSignals& signals) const override;

private:
    std::vector<MicrobatchData> m_microbatches;
};

ChainSource::ChainSource(const Shape& shape)
{
    for (int step = 0; step < shape.steps; ++step) {
        Generator generator(shape.seed, static_cast<std::uint64_t>(step));
        for (int k = 0; k < shape.microbatches; ++k) {
            MicrobatchData data;
            data.tokens = at::empty({ shape.microbatchSize, shape.seq }, at::kLong);
            data.targets = at::empty({ shape.microbatchSize, shape.seq }, at::kLong);
            auto* tokens = data.tokens.mutable_data_ptr<std::int64_t>();
            auto* targets = data.targets.mutable_data_ptr<std::int64_t>();
            for (int sample = 0; sample < shape.microbatchSize; ++sample) {
                std::int64_t current = generator.next(shape.vocabulary);
                for (std::int64_t i = 0; i < shape.seq; ++i) {
                    *tokens++ = current;
                    current = (5 * current + 7 + generator.next(4)) % shape.vocabulary;
                    *targets++ = current;
                }
            }
            m_microbatches.push_back(std::move(data));
        }
    }
}

Result<MicrobatchData> ChainSource::microbatch(std::int64_t k, const RunSignals&) const
{
    return m_microbatches[static_cast<std::size_t>(k)];
}

Result<Model> benchModel(const BenchOptions& o)
{
    Json config;
    config["model_type"] = "gpt2";
    config["n_embd"] = o.dModel;
    config["n_head"] = o.dModel / kHeadSize;
    config["n_layer"] = o.layers;
    config["n_positions"] = o.seq;
    config["vocab_size"] = o.vocab;
    config["tie_word_embeddings"] = !o.untied;
    config["activation_function"] = o.exactGelu ? "gelu" : "gelu_new";
    config["layer_norm_epsilon"] = 1e-5;
    ModelOptions options;
    options.seq = o.seq;
    return modelFromConfig(config, "bench", options);
}

Status checked(const BenchOptions& o)
{
    if (o.dModel < kHeadSize || o.dModel % kHeadSize != 0)
        return fail(ErrorKind::Invalid, "--d-model has to be a multiple of {}, not {}.", kHeadSize,
            o.dModel);
    if (o.stages > o.layers)
        return fail(
            ErrorKind::Invalid, "{} layers cannot be cut into {} stages.", o.layers, o.stages);
    if (const int cores = int(std::thread::hardware_concurrency()); cores > 0 && o.threads > cores)
        return fail(ErrorKind::Invalid, "--threads is {}, and this machine has {} cores.",
            o.threads, cores);
    if (o.warmup < 1 || o.warmup >= o.steps)
        return fail(ErrorKind::Invalid, "--warmup {} has to lie between 1 and --steps {}.",
            o.warmup, o.steps);
    return {};
}

RunShape shapeOf(const BenchOptions& o)
{
    RunShape shape;
    shape.schedule.name = o.schedule;
    shape.schedule.depth = o.stages;
    shape.schedule.microbatches = o.microbatches;
    shape.schedule.batches = o.steps;
    shape.schedule.microbatchSize = o.microbatch;
    shape.schedule.recompute.assign(static_cast<std::size_t>(o.stages), o.recompute);
    if (const ScheduleInfo* info = findSchedule(o.schedule))
        shape.schedule.crossStageUpdate = reducesUpdates(*info, o.stages, o.clip > 0 || !o.untied);
    for (int s = 0; s < o.stages; ++s) {
        // Blocks are dealt out evenly; layer 0 is the embedding, norm and head follow the blocks.
        const int first = o.layers * s / o.stages, end = o.layers * (s + 1) / o.stages;
        shape.devices.emplace_back().kind = DeviceKind::CpuWorker;
        shape.layers.emplace_back(s == 0 ? 0 : first + 1, s + 1 == o.stages ? o.layers + 2 : end);
    }
    shape.optimizer.kind = o.optimizer == "adam" ? OptimizerKind::Adam : OptimizerKind::Sgd;
    shape.optimizer.learningRate = o.learningRate > 0 ? o.learningRate
        : o.optimizer == "adam"                       ? 1e-3
                                                      : 0.1;
    shape.optimizer.momentum = 0;
    shape.optimizer.beta2 = 0.999;
    shape.optimizer.weightDecay = 0;
    shape.optimizer.clipNorm = o.clip;
    shape.optimizer.shape = RateShape::Constant;
    return shape;
}

// normal(0, 0.02) for matrices out of one generator in stage order, [out, in] as the peers draw
// them.
void initializeLikePeers(const ExecutorInput& input, std::uint64_t seed)
{
    at::Generator generator = at::detail::createCPUGenerator(seed);
    for (const StageParts& parts : input.stages) {
        const auto& weights = parts.versions->weights(0);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const ParameterSpec& spec = parts.module->slots()[i].spec;
            if (spec.shape.size() < 2 || !spec.tiedTo.empty())
                continue;
            const bool transposed = spec.name.find(".c_") != std::string::npos;
            const at::Tensor drawn
                = transposed ? at::empty({ spec.shape[1], spec.shape[0] }) : at::empty(spec.shape);
            drawn.normal_(0, 0.02, generator);
            weights[i].copy_(transposed ? drawn.t() : drawn);
        }
    }
}

struct Measured {
    std::vector<double> losses, times;
};

// A step ends with its update, which is put off to where its version is needed. The last one is
// needed nowhere and comes at once: its step would be too short by what the others were put off.
void addRates(Json& json, const BenchOptions& o, const Measured& measured)
{
    std::vector<double> seconds;
    const auto first = static_cast<std::size_t>(o.warmup);
    const std::size_t end
        = measured.times.size() > first + 1 ? measured.times.size() - 1 : measured.times.size();
    for (std::size_t i = first; i < end; ++i)
        seconds.push_back(measured.times[i] - measured.times[i - 1]);
    const double tokens = double(o.microbatch) * o.microbatches * double(o.seq);
    double total = 0;
    for (double s : seconds)
        total += s;
    json["tokens_per_s"] = tokens * double(seconds.size()) / total;
    std::sort(seconds.begin(), seconds.end());
    json["tokens_per_s_median_step"] = tokens / seconds[seconds.size() / 2];
}

Json describe(const BenchOptions& o)
{
    Json json;
    json["impl"] = "stageloom";
    json["schedule"] = o.schedule;
    json["optimizer"] = o.optimizer;
    json["layers"] = o.layers;
    json["d_model"] = o.dModel;
    json["seq"] = o.seq;
    json["vocab"] = o.vocab;
    json["microbatch"] = o.microbatch;
    json["num_microbatches"] = o.microbatches;
    json["steps"] = o.steps;
    json["warmup"] = o.warmup;
    json["stages"] = o.stages;
    json["threads"] = o.threads;
    return json;
}

double absoluteSum(const Executor& executor)
{
    double sum = 0;
    for (const StageParts& parts : executor.stages())
        sum += parts.versions->flat(parts.versions->newest())
                   .to(at::kDouble)
                   .abs()
                   .sum()
                   .item<double>();
    return sum;
}

Result<std::unique_ptr<Executor>> buildBench(const BenchOptions& o)
{
    if (Status good = checked(o); !good)
        return failure(good);
    const auto model = benchModel(o);
    if (!model)
        return failure(model);
    auto input = buildRun(shapeOf(o), *model, BuildOptions { o.steps, o.seed, o.threads });
    if (!input)
        return failure(input);
    initializeLikePeers(*input, o.seed);
    ChainSource::Shape text { o.steps, o.microbatches, o.microbatch, o.seq, o.vocab, o.seed };
    input->source = std::make_shared<ChainSource>(text);
    return Executor::create(std::move(*input));
}
}

Result<Json> runBench(const BenchOptions& o)
{
    const auto executor = buildBench(o);
    if (!executor)
        return failure(executor);
    Measured measured;
    BubbleMeter bubble(o.stages, o.stages, o.microbatches);
    const auto outcome = (*executor)->run([&](const RunReport& report) {
        if (!std::holds_alternative<BatchReport>(report))
            return;
        const auto& batch = std::get<BatchReport>(report);
        measured.losses.push_back(batch.loss);
        measured.times.push_back(batch.time);
        bubble.add(batch.spans);
    });
    if (!outcome)
        return failure(outcome);
    Json json = describe(o);
    addRates(json, o, measured);
    json["peak_rss_mib"] = peakResidentBytes() / (1 << 20);
    if (const auto fraction = bubble.bubbleFraction()) {
        const auto shares = bubble.busyShares();
        json["bubble_fraction"] = *fraction;
        json["non_compute_share"] = 1 - *std::max_element(shares.begin(), shares.end());
    }
    json["weights_abs_sum"] = absoluteSum(**executor);
    json["losses"] = measured.losses;
    return json;
}

} // namespace stageloom::engine
