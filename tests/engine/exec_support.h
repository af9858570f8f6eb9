// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan_schedule.h"
#include "core/schedule/registry.h"
#include "engine/device/device.h"
#include "engine/exec/executor.h"
#include "engine/exec/list_facts.h"
#include "engine/nn/build_stage.h"
#include "engine/optim/grad_norm.h"
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <thread>

// A tiny GPT-2, and the pipeline that trains it.
namespace stageloom::engine::test {

struct Case {
    std::string schedule = "2bw";
    int depth = 2, microbatches = 2, batches = 5;
    OptimizerKind optimizer = OptimizerKind::AdamW;
    double clip = 0, momentum = 0.9;
    double rate = -1; // < 0: one that suits the optimizer
    bool tied = false, recompute = false;
    at::ScalarType dtype = at::kFloat;
    int evaluationInterval = 0, evaluationMicrobatches = 0;
    std::int64_t plannedSteps = 0; // 0: batches
    std::int64_t saltedBatch = -1; // from this batch on the data differ
    std::set<std::int64_t> poisoned; // batches that read a token whose embedding is not a number
    std::chrono::milliseconds patience = std::chrono::seconds(30);
    std::shared_ptr<const MicrobatchSource> source;
};

inline constexpr std::int64_t kSeq = 6, kVocab = 19;
inline constexpr int kSamples = 2, kBlocks = 4; // model layers: embedding, blocks, norm, head

// Tokens from a small congruential generator keyed by (microbatch, salt).
class TokenSource : public MicrobatchSource {
public:
    TokenSource(std::uint64_t salt, std::int64_t saltedMicrobatch)
        : m_salt(salt)
        , m_salted(saltedMicrobatch)
    {
    }
    // Token kVocab - 1 comes up in these batches of m microbatches only, once in each.
    TokenSource(std::set<std::int64_t> poisoned, int m)
        : m_salt(1)
        , m_salted(-1)
        , m_poisoned(std::move(poisoned))
        , m_perBatch(m)
    {
    }
    Result<MicrobatchData> microbatch(std::int64_t k, const RunSignals&) const override
    {
        return make(k);
    }
    MicrobatchData make(std::int64_t k) const
    {
        std::uint64_t state = static_cast<std::uint64_t>(k) * 977 + m_salt;
        if (m_salted >= 0 && k >= m_salted)
            state += 123457;
        MicrobatchData data;
        data.tokens = at::empty({ kSamples, kSeq }, at::kLong);
        data.targets = at::empty({ kSamples, kSeq }, at::kLong);
        for (auto* tensor : { &data.tokens, &data.targets }) {
            auto* out = tensor->mutable_data_ptr<std::int64_t>();
            for (std::int64_t i = 0; i < kSamples * kSeq; ++i) {
                state = state * 6364136223846793005ULL + 1442695040888963407ULL;
                out[i] = static_cast<std::int64_t>((state >> 33) % kVocab);
                if (!m_poisoned.empty())
                    out[i] = std::min(out[i], kVocab - 2);
            }
        }
        if (!m_poisoned.empty() && k % m_perBatch == 0 && m_poisoned.contains(k / m_perBatch))
            data.tokens.mutable_data_ptr<std::int64_t>()[0] = kVocab - 1;
        return data;
    }

private:
    std::uint64_t m_salt;
    std::int64_t m_salted;
    std::set<std::int64_t> m_poisoned;
    std::int64_t m_perBatch = 1;
};

inline TokenSource sourceOf(const Case& c)
{
    if (!c.poisoned.empty())
        return { c.poisoned, c.microbatches };
    return { 1, c.saltedBatch < 0 ? -1 : c.saltedBatch * c.microbatches };
}

inline Model tinyModel(bool tied)
{
    const Json config { { "model_type", "gpt2" }, { "n_embd", 16 }, { "n_head", 2 },
        { "n_layer", kBlocks }, { "n_positions", kSeq }, { "n_ctx", kSeq },
        { "vocab_size", kVocab }, { "tie_word_embeddings", tied },
        { "activation_function", "gelu_new" }, { "layer_norm_epsilon", 1e-5 } };
    ModelOptions options;
    options.seq = kSeq;
    auto model = modelFromConfig(config, "tiny", options);
    EXPECT_TRUE(model) << (model ? "" : model.error().message);
    return *model;
}

inline OptimizerSettings settingsOf(const Case& c)
{
    OptimizerSettings settings;
    settings.kind = c.optimizer;
    settings.learningRate = c.optimizer == OptimizerKind::Sgd ? 0.5 : 1e-2;
    if (c.rate >= 0)
        settings.learningRate = c.rate;
    settings.momentum = c.momentum;
    settings.weightDecay = c.optimizer == OptimizerKind::AdamW ? 0.1 : 0.0;
    settings.clipNorm = c.clip;
    settings.warmupSteps = 2;
    return settings;
}

inline Schedule scheduleOf(const Case& c)
{
    ScheduleRequest request;
    request.name = c.schedule;
    request.depth = c.depth;
    request.microbatches = c.microbatches;
    request.batches = c.batches;
    request.crossStageUpdate
        = reducesUpdates(*findSchedule(c.schedule), c.depth, c.clip > 0 || c.tied);
    if (c.recompute)
        request.recompute.assign(static_cast<std::size_t>(c.depth), true);
    auto schedule = makeSchedule(request);
    EXPECT_TRUE(schedule) << (schedule ? "" : schedule.error().message);
    return *schedule;
}

// Layers [first, last] of stage s when `layers` are dealt out evenly.
inline std::pair<int, int> cut(int layers, int depth, int s)
{
    return { layers * s / depth, layers * (s + 1) / depth - 1 };
}

inline std::vector<std::unique_ptr<StageModule>> modulesOf(const Case& c, int depth)
{
    const Model model = tinyModel(c.tied);
    std::vector<std::unique_ptr<StageModule>> modules;
    for (int s = 0; s < depth; ++s) {
        const auto [first, last] = cut(static_cast<int>(model.layers.size()), depth, s);
        auto module = buildStage(model, first, last, c.dtype);
        EXPECT_TRUE(module) << (module ? "" : module.error().message);
        modules.push_back(std::move(*module));
    }
    return modules;
}

using Weights = std::map<std::string, at::Tensor>;

inline void addWeights(Weights& weights, const StageModule& module, const at::Tensor& flat)
{
    const auto views = module.views(flat);
    for (std::size_t i = 0; i < views.size(); ++i)
        weights[module.slots()[i].spec.name] = views[i].clone();
}

struct Trained {
    std::vector<double> losses, norms;
    std::vector<BatchReport> batches; // without their spans
    std::vector<EvaluationReport> evaluations;
    std::vector<HoldReport> holds;
    std::vector<Span> spans, live;
    Weights weights; // the newest
    ExecutorOutcome outcome;
};

// The embedding of token kVocab - 1 becomes no number: whatever reads it has no finite loss.
inline void poison(const Case& c, const StageModule& module, const at::Tensor& flat)
{
    if (!c.poisoned.empty() && module.slots().front().spec.name == "wte.weight")
        module.views(flat).front()[kVocab - 1].fill_(std::nan(""));
}

inline ExecutorInput inputOf(const Case& c)
{
    ExecutorInput input;
    input.schedule = scheduleOf(c);
    input.proof = verifySchedule(input.schedule);
    input.optimizer = settingsOf(c);
    input.plannedSteps = c.plannedSteps ? c.plannedSteps : c.batches;
    input.dtype = c.dtype;
    input.patience = c.patience;
    auto modules = modulesOf(c, c.depth);
    for (std::size_t s = 0; s < modules.size(); ++s) {
        StageParts parts;
        parts.versions
            = std::make_unique<WeightVersions>(*modules[s], input.proof.peakVersions[s], c.dtype);
        initialize(*modules[s], parts.versions->flat(0), 7);
        poison(c, *modules[s], parts.versions->flat(0));
        parts.optimizer = makeOptimizer(input.optimizer, *modules[s], c.dtype);
        parts.module = std::move(modules[s]);
        input.stages.push_back(std::move(parts));
    }
    input.source = c.source ? c.source : std::make_shared<TokenSource>(sourceOf(c));
    input.evaluationSource = std::make_shared<TokenSource>(99, -1);
    input.evaluationMicrobatches = c.evaluationMicrobatches;
    input.evaluationInterval = c.evaluationInterval;
    return input;
}

inline void collect(Trained& trained, const RunReport& report)
{
    if (const auto* batch = std::get_if<BatchReport>(&report)) {
        trained.losses.push_back(batch->loss);
        trained.norms.push_back(batch->gradNorm);
        trained.spans.insert(trained.spans.end(), batch->spans.begin(), batch->spans.end());
        trained.batches.push_back(*batch);
        trained.batches.back().spans.clear();
    } else if (const auto* evaluation = std::get_if<EvaluationReport>(&report)) {
        trained.evaluations.push_back(*evaluation);
    } else if (const auto* live = std::get_if<LiveSpans>(&report)) {
        trained.live.insert(trained.live.end(), live->spans.begin(), live->spans.end());
    } else {
        trained.holds.push_back(std::get<HoldReport>(report));
    }
}

inline Trained train(const Case& c)
{
    Trained trained;
    auto executor = Executor::create(inputOf(c));
    EXPECT_TRUE(executor) << (executor ? "" : executor.error().message);
    auto outcome = (*executor)->run([&](const RunReport& report) { collect(trained, report); });
    EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().message);
    if (outcome)
        trained.outcome = *outcome;
    for (const StageParts& parts : (*executor)->stages())
        addWeights(trained.weights, *parts.module, parts.versions->flat(parts.versions->newest()));
    return trained;
}

// Not finite numbers in the same places, and the same bits elsewhere.
inline void expectSameBitsApartFromNan(const Weights& expected, const Weights& actual)
{
    for (const auto& [name, tensor] : expected) {
        ASSERT_TRUE(actual.count(name)) << name;
        const at::Tensor& other = actual.at(name);
        EXPECT_TRUE(at::equal(tensor.isnan(), other.isnan())) << name;
        EXPECT_TRUE(at::equal(tensor.nan_to_num(), other.nan_to_num())) << name;
    }
}

inline void expectSameBits(const Weights& expected, const Weights& actual)
{
    for (const auto& [name, tensor] : expected) {
        ASSERT_TRUE(actual.count(name)) << name;
        EXPECT_TRUE(at::equal(tensor, actual.at(name))) << name;
    }
}

inline bool sameBits(const Weights& a, const Weights& b)
{
    return std::all_of(a.begin(), a.end(),
        [&](const auto& entry) { return at::equal(entry.second, b.at(entry.first)); });
}

} // namespace stageloom::engine::test
