// SPDX-License-Identifier: Apache-2.0
// The plan document: versioned, keys in a fixed order, short enough to write by hand.
#include "core/base/files.h"
#include "core/base/json_fields.h"
#include "core/base/text.h"
#include "core/plan/optimizer_json.h"
#include "core/plan/plan.h"

namespace stageloom {

namespace {

// A path in a plan means what it says, else the file beside the plan.
std::string besidePlan(const std::string& source, const std::string& where)
{
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (source.starts_with("preset:") || fs::exists(source, ignored))
        return source;
    const fs::path beside = fs::path(where).parent_path() / source;
    return fs::exists(beside, ignored) ? beside.string() : source;
}

void readModelPart(JsonFields& fields, Plan& plan)
{
    const Json* value = fields.child("model", Need::Required);
    if (!value)
        return;
    if (value->is_object()) {
        JsonFields inner(*value, fields.where(), "/model");
        inner.text("source", plan.modelSource);
        if (const Json* config = inner.child("config"))
            plan.modelConfig = *config;
        inner.noteUnknown(plan.notes);
        fields.keep(inner);
    } else
        fields.text("model", plan.modelSource);
    if (!fields.status())
        return;
    if (!plan.modelConfig.is_null()) {
        // Completed as that of a named model is. What is wrong with the config is a finding of the
        // plan, so that it can still be opened.
        if (plan.seq == 0)
            if (const auto model = planModel(plan))
                plan.seq = model->seq;
        return;
    }
    const ModelOptions options { plan.seq, plan.dtype };
    const auto model = readModel(besidePlan(plan.modelSource, fields.where()), options);
    if (!model)
        return fields.refuse("model", model.error().message);
    plan.modelConfig = model->config;
    if (plan.seq == 0)
        plan.seq = model->seq;
}

void readTopologyPart(JsonFields& fields, Plan& plan)
{
    const Json* value = fields.child("topology", Need::Required);
    if (!value)
        return;
    const Json* document = nullptr;
    if (value->is_object()) {
        JsonFields inner(*value, fields.where(), "/topology");
        inner.text("source", plan.topologySource);
        document = inner.child("document");
        inner.noteUnknown(plan.notes);
        fields.keep(inner);
    } else
        fields.text("topology", plan.topologySource);
    if (!fields.status())
        return;
    const auto topology = document
        ? topologyFromJson(*document, fields.where() + ": /topology/document")
        : readTopology(besidePlan(plan.topologySource, fields.where()));
    if (!topology)
        return document ? fields.keep(topology.error())
                        : fields.refuse("topology", topology.error().message);
    plan.topology = *topology;
}

void readDevices(JsonFields& fields, PlanStage& stage)
{
    const Json* devices = fields.child("devices", Need::Required);
    if (!devices)
        return;
    if (!devices->is_array())
        return fields.refuse("devices", "write a list of device indices, [0]");
    for (const Json& device : *devices) {
        if (!device.is_number_integer() || device.get<std::int64_t>() < 0
            || device.get<std::int64_t>() > 1'000'000)
            return fields.refuse("devices", "write a list of device indices, [0]");
        stage.devices.push_back(device.get<int>());
    }
}

void readStages(JsonFields& fields, Plan& plan)
{
    static_cast<void>(fields.child("stages", Need::Required));
    const Json& stages = fields.list("stages");
    for (std::size_t i = 0; i < stages.size(); ++i) {
        JsonFields inner(stages[i], fields.where(), fmt::format("/stages/{}", i));
        PlanStage stage;
        inner.integer("first_layer", stage.firstLayer, {}, Need::Required);
        inner.integer("last_layer", stage.lastLayer, {}, Need::Required);
        inner.flag("recompute", stage.recompute);
        readDevices(inner, stage);
        inner.noteUnknown(plan.notes);
        fields.keep(inner);
        plan.stages.push_back(std::move(stage));
    }
}

void readNumbers(JsonFields& fields, Plan& plan)
{
    int schema = Plan::kSchema;
    fields.integer("schema", schema);
    if (schema != Plan::kSchema)
        fields.refuse("schema",
            fmt::format(
                "this version reads plans of schema {}; write them with it", Plan::kSchema));
    std::string dtype = toString(plan.dtype);
    fields.text("name", plan.name);
    fields.integer("seq", plan.seq);
    if (plan.seq < 0)
        fields.refuse("seq", "write the tokens a sample, or leave it out for the model's maximum");
    fields.text("dtype", dtype);
    if (const auto parsed = parseDtype(dtype); parsed)
        plan.dtype = *parsed;
    else
        fields.refuse("dtype", parsed.error().message);
    fields.text("schedule", plan.schedule);
    fields.integer("microbatch_size", plan.microbatchSize, {}, Need::Required);
    fields.integer("microbatches", plan.microbatches, {}, Need::Required);
    fields.text("compression", plan.compression);
}

} // namespace

Result<Plan> planFromJson(const Json& document, const std::string& where)
{
    Plan plan;
    JsonFields fields(document, where, "");
    if (!fields.status())
        return failure(fields.status());
    readNumbers(fields, plan);
    readStages(fields, plan);
    if (const Json* optimizer = fields.child("optimizer")) {
        JsonFields inner(*optimizer, where, "/optimizer");
        readOptimizer(inner, plan.optimizer);
        inner.noteUnknown(plan.notes);
        fields.keep(inner);
    }
    if (const Json* profile = fields.child("profile")) {
        if (auto read = profileFromJson(*profile, where + ": /profile"); read)
            plan.profile = std::move(*read);
        else
            fields.keep(read.error());
    }
    if (fields.status())
        readTopologyPart(fields, plan);
    if (fields.status())
        readModelPart(fields, plan);
    if (!fields.status())
        return failure(fields.status());
    fields.noteUnknown(plan.notes);
    return plan;
}

Result<Plan> readPlan(const std::string& path)
{
    const auto document = readJsonFile(path);
    if (!document)
        return failure(document);
    return planFromJson(*document, path);
}

Json toJson(const Plan& plan)
{
    Json stages = Json::array();
    for (const PlanStage& s : plan.stages)
        stages.push_back(Json { { "first_layer", s.firstLayer }, { "last_layer", s.lastLayer },
            { "devices", s.devices }, { "recompute", s.recompute } });
    Json json;
    json["schema"] = Plan::kSchema;
    json["name"] = plan.name;
    json["seq"] = plan.seq;
    json["dtype"] = toString(plan.dtype);
    json["schedule"] = plan.schedule;
    json["microbatch_size"] = plan.microbatchSize;
    json["microbatches"] = plan.microbatches;
    json["stages"] = std::move(stages);
    json["optimizer"] = toJson(plan.optimizer);
    json["compression"] = plan.compression;
    json["model"] = Json { { "source", plan.modelSource }, { "config", plan.modelConfig } };
    json["topology"]
        = Json { { "source", plan.topologySource }, { "document", toJson(plan.topology) } };
    if (plan.profile)
        json["profile"] = toJson(*plan.profile);
    return json;
}

Status writePlan(const Plan& plan, const std::string& path)
{
    return writeFileAtomically(path, dumpJson(toJson(plan)));
}

std::string planHash(const Plan& plan)
{
    Json decides = toJson(plan);
    for (const char* key : { "schema", "name", "topology", "profile" })
        decides.erase(key);
    decides["model"] = plan.modelConfig;
    // Plain nlohmann::json sorts its keys: the order in a config.json does not count.
    const std::string text
        = nlohmann::json::parse(jsonLine(decides)).dump(); // made of text that is UTF-8
    return fmt::format("{:016x}", fnv1a(text));
}

Result<Model> planModel(const Plan& plan)
{
    return modelFromConfig(plan.modelConfig,
        plan.modelSource.empty() ? "the plan's model" : plan.modelSource, { plan.seq, plan.dtype });
}

} // namespace stageloom
