// SPDX-License-Identifier: Apache-2.0
#include "core/model/profile.h"

#include <gtest/gtest.h>

using namespace stageloom;

namespace {

Json twoLayers(const char* unit)
{
    return { { "unit", unit }, { "hop", 1.5 },
        { "layers",
            { { { "name", "a" }, { "forward", 2 }, { "recompute", 1 }, { "backward", 4 } },
                { { "name", "b" }, { "forward", 3 }, { "backward", 5 } } } } };
}

void expectRefused(const Json& document, const std::vector<std::string>& words)
{
    const auto profile = profileFromJson(document, "times.json");
    ASSERT_FALSE(profile);
    for (const std::string& word : words)
        EXPECT_NE(profile.error().message.find(word), std::string::npos) << profile.error().message;
}

} // namespace

TEST(Profile, timesBecomeSecondsAndRecomputeDefaultsToForward)
{
    const std::pair<const char*, double> units[] = { { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 } };
    for (const auto& [unit, seconds] : units) {
        const auto profile = profileFromJson(twoLayers(unit), "times.json");
        ASSERT_TRUE(profile) << profile.error().message;
        EXPECT_DOUBLE_EQ(profile->hop, 1.5 * seconds);
        EXPECT_DOUBLE_EQ(profile->layers[0].recompute, 1 * seconds);
        EXPECT_DOUBLE_EQ(profile->layers[1].recompute, 3 * seconds);
        EXPECT_DOUBLE_EQ(profile->layers[1].backward, 5 * seconds);
    }
}

TEST(Profile, writtenAndReadAgainItIsTheSame)
{
    const auto first = profileFromJson(twoLayers("ms"), "times.json");
    ASSERT_TRUE(first);
    const Json written = toJson(*first);
    EXPECT_EQ(written["unit"], "ms");
    EXPECT_NEAR(written["layers"][0]["forward"].get<double>(), 2, 1e-12);
    const auto again = profileFromJson(written, "times.json");
    ASSERT_TRUE(again);
    EXPECT_NEAR(again->layers[1].backward, first->layers[1].backward, 1e-15);
    EXPECT_EQ(again->layers[1].name, "b");
}

TEST(Profile, saysTheKindOfDeviceItWasMeasuredOn)
{
    const auto kindOf = [](const char* key, const char* value) {
        Json document = twoLayers("ms");
        document[key] = value;
        const auto profile = profileFromJson(document, "times.json");
        EXPECT_TRUE(profile) << profile.error().message;
        const auto again = profileFromJson(toJson(*profile), "times.json");
        EXPECT_EQ(again->deviceKind, profile->deviceKind);
        EXPECT_EQ(again->deviceName, profile->deviceName);
        return profile->deviceKind;
    };
    EXPECT_EQ(kindOf("device_kind", "gpu"), "gpu");
    EXPECT_EQ(kindOf("device_name", "Tesla V100"), "");
    EXPECT_EQ(kindOf("device", "CPU, 2 of 4 cores busy, 1 thread a stage"), "cpu-worker");
    EXPECT_EQ(kindOf("device", "NVIDIA H100"), "gpu");
    EXPECT_EQ(kindOf("device", "my machine"), "");
    Json document = twoLayers("ms");
    document["device_kind"] = "tpu";
    expectRefused(document, { "device_kind", "tpu", "cpu-worker" });
}

TEST(Profile, faultsNameTheLayerAndTheKey)
{
    Json document = twoLayers("ms");
    document["layers"][1].erase("forward");
    expectRefused(document, { "times.json", "/layers/1/forward", "missing" });
    document["layers"][1]["forward"] = -2;
    expectRefused(document, { "/layers/1/forward", "-2", "at least 0" });
    document["layers"][1] = 7;
    expectRefused(document, { "/layers/1", "7", "object" });
    document["layers"] = Json::array();
    expectRefused(document, { "layers", "at least one" });
    expectRefused(twoLayers("minutes"), { "unit", "minutes" });
    expectRefused(Json(3), { "times.json", "object" });
}
