// SPDX-License-Identifier: Apache-2.0
#include "core/plan/trainable.h"

#include "core/base/json_fields.h"
#include "core/base/text.h"
#include "core/plan/finding_list.h"
#include "core/plan/optimizer_json.h"

#include <algorithm>

namespace stageloom {

namespace {

using Severity = PlanFinding::Severity;
using Words = std::vector<std::string>;

bool contains(const Words& words, const std::string& word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

// "fp32", "sgd or adam", "2bw, 1f1b or gpipe"
std::string alternatives(const Words& words)
{
    if (words.size() < 2)
        return words.empty() ? "nothing of the kind" : words.front();
    return joined(Words(words.begin(), words.end() - 1), ", ") + " or " + words.back();
}

void checkLayers(const Model& model, const EngineCapabilities& engine, FindingList& findings)
{
    const TransformerShape& s = model.shape;
    if (!contains(engine.families, model.family))
        return findings.refuse("/model/config/model_type",
            "the model '{}' is of the family '{}', and the engine trains {}; other families can be "
            "planned and simulated",
            model.name, model.family, alternatives(engine.families));
    if (!contains(engine.activations, s.activation))
        findings.refuse("/model/config/activation_function",
            "the activation '{}' of the model '{}' is not trained here; set activation_function to "
            "{}",
            s.activation, model.name, alternatives(engine.activations));
    if (s.heads < 1 || s.headDim < 1 || s.hidden < 1 || s.ffn < 1 || s.vocab < 1)
        findings.refuse("/model/config",
            "the model '{}' has a size below 1 (hidden {}, heads {}, head size {}, ffn {}, "
            "vocabulary {})",
            model.name, s.hidden, s.heads, s.headDim, s.ffn, s.vocab);
    if (model.seq > s.maxPositions)
        findings.refuse("/seq",
            "a sequence of {} is above the {} positions that the model '{}' has; use {} or less",
            model.seq, s.maxPositions, model.name, s.maxPositions);
}

void checkDevices(const Plan& plan, const EngineCapabilities& engine, FindingList& findings)
{
    for (const PlanStage& stage : plan.stages)
        for (const int index : stage.devices) {
            const std::vector<Device>& devices = plan.topology.devices;
            if (index < 0 || std::size_t(index) >= devices.size())
                continue; // validatePlan has the sentence for it
            const Device& device = devices[std::size_t(index)];
            if (contains(engine.deviceKinds, toString(device.kind)))
                continue;
            if (device.kind == DeviceKind::Gpu)
                return findings.refuse(fmt::format("/topology/devices/{}", index),
                    "device {} ({}) is a GPU, and the engine was built without the CUDA back end "
                    "(build option STAGELOOM_CUDA): plan for CPU workers, --topology cpu:K, to "
                    "train here",
                    device.index, device.name);
            return findings.refuse(fmt::format("/topology/devices/{}", index),
                "device {} ({}) is a {}, and the engine trains on {}", device.index, device.name,
                toString(device.kind), alternatives(engine.deviceKinds));
        }
}

void readWords(JsonFields& fields, const char* key, Words& target)
{
    const Json* list = fields.child(key, Need::Required);
    if (!list)
        return;
    if (!list->is_array())
        return fields.refuse(key, "a list of words");
    for (const Json& word : *list) {
        if (!word.is_string())
            return fields.refuse(key, "a list of words");
        target.push_back(word.get<std::string>());
    }
}

} // namespace

std::string toString(DeviceKind kind)
{
    return kind == DeviceKind::CpuWorker ? "cpu-worker" : "gpu";
}

Json toJson(const EngineCapabilities& c)
{
    return Json { { "version", c.version }, { "libtorch", c.libtorch }, { "families", c.families },
        { "activations", c.activations }, { "dtypes", c.dtypes }, { "optimizers", c.optimizers },
        { "schedules", c.schedules }, { "compressions", c.compressions },
        { "device_kinds", c.deviceKinds }, { "max_width", c.maxWidth },
        { "smallest_vocabulary", c.smallestVocabulary }, { "max_actions", c.maxActions },
        { "evaluates", c.evaluates }, { "checkpoints", c.checkpoints } };
}

Result<EngineCapabilities> capabilitiesFromJson(const Json& document, const std::string& where)
{
    EngineCapabilities c;
    JsonFields fields(document, where, "");
    fields.text("version", c.version, Need::Required);
    fields.text("libtorch", c.libtorch);
    readWords(fields, "families", c.families);
    readWords(fields, "activations", c.activations);
    readWords(fields, "dtypes", c.dtypes);
    readWords(fields, "optimizers", c.optimizers);
    readWords(fields, "schedules", c.schedules);
    readWords(fields, "compressions", c.compressions);
    readWords(fields, "device_kinds", c.deviceKinds);
    fields.integer("max_width", c.maxWidth, {}, Need::Required);
    fields.integer("smallest_vocabulary", c.smallestVocabulary);
    fields.integer("max_actions", c.maxActions, {}, Need::Required);
    fields.flag("evaluates", c.evaluates);
    fields.flag("checkpoints", c.checkpoints);
    if (!fields.status())
        return failure(fields.status());
    return c;
}

Status buildable(const Model& model, const EngineCapabilities& capabilities)
{
    FindingList findings;
    checkLayers(model, capabilities, findings);
    const auto all = findings.take();
    if (!all.empty())
        return fail(ErrorKind::Unsupported, "{}", all.front().message);
    return {};
}

std::vector<PlanFinding> trainable(const Model& model, const EngineCapabilities& capabilities)
{
    FindingList findings;
    checkLayers(model, capabilities, findings);
    if (model.shape.vocab < capabilities.smallestVocabulary)
        findings.refuse("/model/config/vocab_size",
            "the model '{}' has a vocabulary of {}, and the engine reads text as bytes, which need "
            "{}; set vocab_size to {} or more",
            model.name, model.shape.vocab, capabilities.smallestVocabulary,
            capabilities.smallestVocabulary);
    return findings.take();
}

std::vector<PlanFinding> trainable(
    const Plan& plan, const Model& model, const EngineCapabilities& capabilities)
{
    FindingList findings;
    findings.append(trainable(model, capabilities));
    if (plan.width() > capabilities.maxWidth)
        findings.refuse("/stages/0/devices",
            "the plan has width {}: {} replicas of each stage, and the engine trains width {}; "
            "plan "
            "again with --width {}, or leave each stage fewer devices",
            plan.width(), plan.width(), capabilities.maxWidth, capabilities.maxWidth);
    if (!contains(capabilities.dtypes, toString(plan.dtype)))
        findings.refuse("/dtype",
            "the plan trains in {}, and the engine in {}; plan again with "
            "--dtype {}",
            toString(plan.dtype), alternatives(capabilities.dtypes),
            capabilities.dtypes.empty() ? "" : capabilities.dtypes.front());
    if (!contains(capabilities.compressions, plan.compression))
        findings.refuse("/compression",
            "the plan compresses gradients ({}), and the engine knows {}; set 'compression' to "
            "none",
            plan.compression, alternatives(capabilities.compressions));
    if (!contains(capabilities.schedules, plan.schedule))
        findings.refuse("/schedule", "the engine does not run the schedule '{}'; it runs {}",
            plan.schedule, alternatives(capabilities.schedules));
    if (!contains(capabilities.optimizers, toString(plan.optimizer.kind)))
        findings.refuse("/optimizer/kind", "the engine does not know the optimizer {}; it knows {}",
            toString(plan.optimizer.kind), alternatives(capabilities.optimizers));
    checkDevices(plan, capabilities, findings);
    return findings.take();
}

} // namespace stageloom
