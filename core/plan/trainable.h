// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"

namespace stageloom {

// What an engine trains: its answer to `stageloom-engine capabilities --json`. Everything that a
// plan may ask for beyond it can be planned and simulated, and is refused before a run begins.
struct EngineCapabilities {
    std::string version, libtorch;
    std::vector<std::string> families; // of models: "gpt2"
    std::vector<std::string> activations; // as config files write them
    std::vector<std::string> dtypes; // "fp32"
    std::vector<std::string> optimizers; // "adamw"
    std::vector<std::string> schedules; // registry names
    std::vector<std::string> compressions; // of gradients: "none"
    std::vector<std::string> deviceKinds; // "cpu-worker", "gpu", as topology files write them
    int maxWidth = 0; // replicas of each stage
    std::int64_t smallestVocabulary = 0; // entries: what the engine's way to read text needs
    std::int64_t maxActions = 0; // of one run's list
    bool evaluates = false; // on held-out text, while it trains
    bool checkpoints = false;
    bool operator==(const EngineCapabilities&) const = default;
};

std::string toString(DeviceKind kind);

Json toJson(const EngineCapabilities& capabilities);
Result<EngineCapabilities> capabilitiesFromJson(const Json& document, const std::string& where);

// What keeps an engine from training this, each with its JSON pointer, its value and what helps;
// `train` refuses it. Nothing found: it trains. The plan's own soundness is validatePlan's
// business.
std::vector<PlanFinding> trainable(const Plan& plan, const Model& model, const EngineCapabilities&);
// Of a model alone, as far as its layers and its vocabulary decide.
std::vector<PlanFinding> trainable(const Model& model, const EngineCapabilities& capabilities);
// Whether the model's layers can be built at all, whatever they are trained on.
Status buildable(const Model& model, const EngineCapabilities& capabilities);

} // namespace stageloom
