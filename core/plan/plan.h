// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/cluster/topology.h"
#include "core/model/model.h"
#include "core/model/profile.h"
#include "core/schedule/registry.h"
#include <optional>
#include <string>
#include <vector>

namespace stageloom {

// A run of layers that one group of devices holds. Layer indices are inclusive.
struct PlanStage {
    int firstLayer = 0, lastLayer = 0;
    std::vector<int> devices; // one per replica (width)
    bool recompute = false;
    bool operator==(const PlanStage&) const = default;
};

enum class OptimizerKind { Sgd, Adam, AdamW };
enum class RateShape { Constant, Linear, Cosine };

struct OptimizerSettings {
    OptimizerKind kind = OptimizerKind::AdamW;
    double learningRate = 1e-3;
    double momentum = 0.9; // sgd: m = β·m + (1-β)·g
    double beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8;
    double weightDecay = 0.1; // decoupled, acts on the version being updated; matrices only
    double clipNorm = 1.0; // global gradient norm; 0: off
    RateShape shape = RateShape::Cosine;
    int warmupSteps = 0;
    int decaySteps = 0; // 0: the run's steps
    double finalFraction = 0.1; // of the peak rate, at the end of the decay
    bool operator==(const OptimizerSettings&) const = default;
};

// The document a person edits and saves (*.plan.json). A value: edits make a new one.
struct Plan {
    static constexpr int kSchema = 1;
    std::string name;
    std::string modelSource; // path or preset, for people
    Json modelConfig; // the config.json itself: the plan carries its model
    std::string topologySource; // preset or file, for people
    Topology topology; // embedded, so the plan stands alone
    std::int64_t seq = 0;
    Dtype dtype = Dtype::Fp32;
    std::string schedule = kDefaultSchedule;
    int microbatchSize = 1; // b, samples
    int microbatches = 1; // m, a batch and pipeline
    std::vector<PlanStage> stages; // d = stages.size(), w = stages[0].devices.size()
    OptimizerSettings optimizer;
    std::string compression = "none"; // gradients on the wire; later issues
    std::optional<Profile> profile; // measured layer times at (microbatchSize, seq); else estimated
    std::vector<std::string> notes; // JSON pointers of keys the reader did not know; not written

    [[nodiscard]] int depth() const { return static_cast<int>(stages.size()); }
    [[nodiscard]] int width() const
    {
        return stages.empty() ? 1 : static_cast<int>(stages[0].devices.size());
    }
    [[nodiscard]] std::int64_t batchSize() const
    {
        return std::int64_t(microbatchSize) * microbatches * width();
    }
};

// One finding with the JSON pointer of its place in the document ("/stages/1/first_layer").
struct PlanFinding {
    enum class Severity { Error, Warning, Note } severity = Severity::Error;
    std::string path;
    std::string message; // a sentence: what, which value, what helps
};

Result<Plan> readPlan(const std::string& path);
Result<Plan> planFromJson(const Json& document, const std::string& where);
Json toJson(const Plan& plan);
Status writePlan(const Plan& plan, const std::string& path); // atomic
// Structure only (layer ranges, devices, schedule's own rules); memory is the prediction's finding.
std::vector<PlanFinding> validatePlan(const Plan& plan);
std::vector<PlanFinding> validatePlan(const Plan& plan, const Model& model); // model already read
// Short and stable over the fields that decide what runs; names and notes do not count.
std::string planHash(const Plan& plan);
Result<Model> planModel(const Plan& plan);
} // namespace stageloom
