// SPDX-License-Identifier: Apache-2.0
#include "core/model/profile.h"
#include "core/base/json_fields.h"

#include <algorithm>

namespace stageloom {

namespace {

constexpr std::uintmax_t kMostProfileBytes = 64u << 20;
constexpr std::size_t kMostProfileLayers = 100'000;
constexpr std::int64_t kMostSamples = 1'000'000'000;

// None: no unit that is known here.
std::optional<double> unitSeconds(const std::string& unit)
{
    if (unit == "s")
        return 1.0;
    if (unit == "ms")
        return 1e-3;
    if (unit == "us")
        return 1e-6;
    return std::nullopt;
}

void readTime(
    JsonFields& fields, const char* key, double& seconds, double scale, Need need = Need::Optional)
{
    double time = seconds / scale;
    fields.number(key, time, NumberRange::AtLeastZero, need);
    seconds = time * scale;
}

void readLayer(JsonFields& fields, LayerTime& layer, double scale)
{
    fields.text("name", layer.name);
    readTime(fields, "forward", layer.forward, scale, Need::Required);
    readTime(fields, "backward", layer.backward, scale, Need::Required);
    layer.recompute = layer.forward;
    layer.recomputeGiven = fields.has("recompute");
    readTime(fields, "recompute", layer.recompute, scale);
}

void readLayers(JsonFields& fields, double scale, Profile& profile)
{
    const Json& layers = fields.list("layers");
    if (layers.empty())
        fields.refuse(
            "layers", "write a list of at least one layer with name, forward and backward");
    if (layers.size() > kMostProfileLayers)
        fields.refuse("layers", fmt::format("more than {} are not read", kMostProfileLayers));
    for (std::size_t i = 0; i < layers.size() && fields.status(); ++i) {
        JsonFields inner(
            layers[i], fields.where(), fmt::format("{}/{}", fields.pointerOf("layers"), i));
        LayerTime layer;
        layer.name = fmt::format("layer {}", i);
        if (inner.status())
            readLayer(inner, layer, scale);
        fields.keep(inner);
        profile.layers.push_back(std::move(layer));
    }
    profile.recomputes = true;
    fields.flag("recomputes", profile.recomputes);
    profile.recomputes = profile.recomputes
        && std::any_of(profile.layers.begin(), profile.layers.end(),
            [](const LayerTime& layer) { return layer.recomputeGiven; });
}

// Files of earlier versions say it in words only ("CPU, 2 of 4 cores busy, …").
std::string kindInWords(const std::string& device)
{
    if (device.starts_with("CPU"))
        return "cpu-worker";
    for (const char* word : { "GPU", "NVIDIA", "Tesla", "GeForce", "RTX", "AMD Instinct" })
        if (device.find(word) != std::string::npos)
            return "gpu";
    return {};
}

// What a profile may say about how it was measured.
void readOrigin(JsonFields& fields, double scale, Profile& profile)
{
    fields.text("device", profile.device);
    fields.text("device_kind", profile.deviceKind);
    fields.text("device_name", profile.deviceName);
    if (profile.deviceKind.empty())
        profile.deviceKind = kindInWords(profile.device);
    else if (profile.deviceKind != "cpu-worker" && profile.deviceKind != "gpu")
        fields.refuse("device_kind", "write cpu-worker or gpu");
    fields.integer("microbatch_size", profile.microbatchSize, { 1, kMostSamples });
    fields.integer("seq", profile.seq, { 1, kMostSamples });
    readTime(fields, "hop", profile.hop, scale);
    readTime(fields, "update_per_parameter", profile.updatePerParameter, scale);
}

} // namespace

double Profile::secondsPerUnit() const
{
    return unitSeconds(unit).value_or(1.0);
}

Result<Profile> profileFromJson(const Json& document, const std::string& where)
{
    JsonFields fields(document, where);
    Profile profile;
    fields.text("unit", profile.unit);
    const std::optional<double> scale = unitSeconds(profile.unit);
    if (!scale)
        fields.refuse("unit", "write s, ms or us");
    readOrigin(fields, scale.value_or(1), profile);
    readLayers(fields, scale.value_or(1), profile);
    if (!fields.status())
        return failure(fields.status());
    return profile;
}

Result<Profile> readProfile(const std::string& path)
{
    const auto document = readJsonFile(path, kMostProfileBytes);
    if (!document)
        return failure(document);
    return profileFromJson(*document, path);
}

Json toJson(const Profile& profile)
{
    const double unit = profile.secondsPerUnit();
    Json json;
    if (unitSeconds(profile.unit))
        json["unit"] = profile.unit;
    if (!profile.device.empty())
        json["device"] = profile.device;
    if (!profile.deviceKind.empty())
        json["device_kind"] = profile.deviceKind;
    if (!profile.deviceName.empty())
        json["device_name"] = profile.deviceName;
    if (profile.microbatchSize > 0)
        json["microbatch_size"] = profile.microbatchSize;
    if (profile.seq > 0)
        json["seq"] = profile.seq;
    json["hop"] = profile.hop / unit;
    if (profile.updatePerParameter > 0)
        json["update_per_parameter"] = profile.updatePerParameter / unit;
    json["recomputes"] = profile.recomputes;
    json["layers"] = Json::array();
    for (const LayerTime& layer : profile.layers) {
        Json object { { "name", layer.name }, { "forward", layer.forward / unit },
            { "backward", layer.backward / unit } };
        if (layer.recomputeGiven)
            object["recompute"] = layer.recompute / unit;
        json["layers"].push_back(std::move(object));
    }
    return json;
}

} // namespace stageloom
