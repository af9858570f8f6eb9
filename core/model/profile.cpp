// SPDX-License-Identifier: Apache-2.0
#include "core/model/profile.h"
#include "core/model/config_reader.h"

#include <algorithm>
#include <cmath>

namespace stageloom {

namespace {

constexpr std::uintmax_t kMostProfileBytes = 64u << 20;
constexpr std::size_t kMostProfileLayers = 100'000;
constexpr std::int64_t kMostSamples = 1'000'000'000;

Result<double> unitSeconds(const std::string& unit, const std::string& where)
{
    if (unit == "s")
        return 1.0;
    if (unit == "ms")
        return 1e-3;
    if (unit == "us")
        return 1e-6;
    return fail(
        ErrorKind::Invalid, "{}: 'unit' is \"{}\", but it must be s, ms or us", where, unit);
}

// A time of 0 or more under `key` of `object`, in the file's unit. `place` names the object.
Result<std::optional<double>> timeAt(const Json& object, const char* key, const std::string& place)
{
    const auto at = object.find(key);
    if (at == object.end() || at->is_null())
        return std::optional<double> {};
    if (!at->is_number() || !std::isfinite(at->get<double>()) || at->get<double>() < 0)
        return fail(ErrorKind::Invalid, "{}: '{}' is {}, but it must be a time of 0 or more", place,
            key, shown(*at));
    return std::optional<double>(at->get<double>());
}

Result<double> neededTime(const Json& object, const char* key, const std::string& place)
{
    const auto value = timeAt(object, key, place);
    if (!value)
        return failure(value);
    if (!*value)
        return fail(
            ErrorKind::Invalid, "{}: the key '{}' is missing; add the layer's time", place, key);
    return **value;
}

Result<LayerTime> layerTime(
    const Json& object, std::size_t index, double scale, const std::string& where)
{
    std::string place = fmt::format("{}: layer {}", where, index);
    if (!object.is_object())
        return fail(ErrorKind::Invalid,
            "{} is {}, but an object with forward and backward is needed", place, shown(object));
    auto name = ConfigReader(object, place).text("name", fmt::format("layer {}", index));
    if (!name)
        return failure(name);
    place += " ('" + *name + "')";
    const auto forward = neededTime(object, "forward", place);
    if (!forward)
        return failure(forward);
    const auto backward = neededTime(object, "backward", place);
    if (!backward)
        return failure(backward);
    const auto recompute = timeAt(object, "recompute", place);
    if (!recompute)
        return failure(recompute);
    return LayerTime { std::move(*name), *forward * scale, recompute->value_or(*forward) * scale,
        *backward * scale, recompute->has_value() };
}

Status readLayers(const Json& document, double scale, const std::string& where, Profile& profile)
{
    const auto layers = document.find("layers");
    if (layers == document.end() || !layers->is_array() || layers->empty())
        return fail(ErrorKind::Invalid,
            "{}: 'layers' must be a list of at least one layer with name, forward and backward",
            where);
    if (layers->size() > kMostProfileLayers)
        return fail(ErrorKind::Invalid,
            "{}: 'layers' has {} entries, but more than {} are not read", where, layers->size(),
            kMostProfileLayers);
    for (const Json& object : *layers) {
        auto layer = layerTime(object, profile.layers.size(), scale, where);
        if (!layer)
            return failure(layer);
        profile.layers.push_back(std::move(*layer));
    }
    const auto recomputes = ConfigReader(document, where).flag("recomputes", true);
    if (!recomputes)
        return failure(recomputes);
    profile.recomputes = *recomputes
        && std::any_of(profile.layers.begin(), profile.layers.end(),
            [](const LayerTime& layer) { return layer.recomputeGiven; });
    return {};
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
Status readOrigin(const Json& document, double scale, const std::string& where, Profile& profile)
{
    const ConfigReader reader(document, where);
    auto device = reader.text("device", "");
    if (!device)
        return failure(device);
    auto kind = reader.text("device_kind", "");
    if (!kind)
        return failure(kind);
    if (!kind->empty() && *kind != "cpu-worker" && *kind != "gpu")
        return fail(ErrorKind::Invalid,
            "{}: 'device_kind' is \"{}\", but it must be cpu-worker or gpu", where, *kind);
    auto name = reader.text("device_name", "");
    if (!name)
        return failure(name);
    const auto samples = reader.optionalCount({ "microbatch_size" }, kMostSamples);
    if (!samples)
        return failure(samples);
    const auto seq = reader.optionalCount({ "seq" }, kMostSamples);
    if (!seq)
        return failure(seq);
    const auto hop = timeAt(document, "hop", where);
    if (!hop)
        return failure(hop);
    const auto update = timeAt(document, "update_per_parameter", where);
    if (!update)
        return failure(update);
    profile.device = std::move(*device);
    profile.deviceKind = kind->empty() ? kindInWords(profile.device) : std::move(*kind);
    profile.deviceName = std::move(*name);
    profile.microbatchSize = samples->value_or(0);
    profile.seq = seq->value_or(0);
    profile.hop = hop->value_or(0) * scale;
    profile.updatePerParameter = update->value_or(0) * scale;
    return {};
}

} // namespace

double Profile::secondsPerUnit() const
{
    return unitSeconds(unit, "profile").value_or(1.0);
}

Result<Profile> profileFromJson(const Json& document, const std::string& where)
{
    if (!document.is_object())
        return fail(ErrorKind::Invalid,
            "{}: the document is {}, but a profile is an object in braces with 'unit' and 'layers'",
            where, document.type_name());
    auto unit = ConfigReader(document, where).text("unit", "s");
    if (!unit)
        return failure(unit);
    const auto scale = unitSeconds(*unit, where);
    if (!scale)
        return failure(scale);
    Profile profile;
    profile.unit = std::move(*unit);
    if (const Status origin = readOrigin(document, *scale, where, profile); !origin)
        return failure(origin);
    if (const Status layers = readLayers(document, *scale, where, profile); !layers)
        return failure(layers);
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
    if (unitSeconds(profile.unit, "profile"))
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
