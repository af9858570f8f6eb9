// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/topology.h"

#include <gtest/gtest.h>

using namespace stageloom;

namespace {

Json twoGpus()
{
    return {
        { "devices", { { { "index", 0 } }, { { "index", 1 } } } },
        { "links",
            { { { "a", 1 }, { "b", 0 }, { "kind", "pcie" }, { "bandwidth_bytes_per_s", 1e9 } } } }
    };
}

void expectRefused(const Json& document, const std::vector<std::string>& words)
{
    const auto topology = topologyFromJson(document, "rig.json");
    ASSERT_FALSE(topology) << words.front();
    for (const std::string& word : words)
        EXPECT_NE(topology.error().message.find(word), std::string::npos)
            << topology.error().message;
}

} // namespace

TEST(TopologyJson, everyPresetSurvivesWritingAndReading)
{
    std::vector<std::string> names = topologyPresetNames();
    EXPECT_GE(names.size(), 9u);
    names.emplace_back("local");
    for (const std::string& name : names) {
        auto topology = readTopology(name);
        if (!topology) // it needs a count
            topology = readTopology(name + ":2");
        ASSERT_TRUE(topology) << name;
        const Json written = toJson(*topology);
        const auto again = topologyFromJson(written, "again");
        ASSERT_TRUE(again) << name << ": " << again.error().message;
        EXPECT_EQ(toJson(*again).dump(), written.dump()) << name;
    }
}

TEST(TopologyJson, whatIsNotKnownIsNull)
{
    const auto topology = topologyFromJson(twoGpus(), "rig.json");
    ASSERT_TRUE(topology) << topology.error().message;
    const Json written = toJson(*topology);
    EXPECT_TRUE(written["devices"][0]["memory_bytes"].is_null());
    EXPECT_TRUE(written["host"]["memory_bytes"].is_null());
    EXPECT_EQ(topology->links[0].a, 0);
    EXPECT_EQ(topology->links[0].b, 1);
}

TEST(TopologyJson, unknownKeysAreLetThrough)
{
    Json document = twoGpus();
    document["colour"] = "red";
    document["devices"][0]["fans"] = 3;
    EXPECT_TRUE(topologyFromJson(document, "rig.json"));
}

TEST(TopologyJson, faultsNameTheirPlace)
{
    expectRefused(Json(1), { "rig.json", "object" });
    Json document = twoGpus();
    document["devices"][1]["index"] = 5;
    expectRefused(document, { "/devices/1/index", "gap" });
    document = twoGpus();
    document["devices"][0]["memory_bytes"] = -1;
    expectRefused(document, { "/devices/0/memory_bytes", "-1" });
    document = twoGpus();
    document["links"][0]["b"] = 2;
    expectRefused(document, { "/links/0/b", "2", "from 0 to 1" });
    document["links"][0]["b"] = 1;
    expectRefused(document, { "/links/0/b", "two different" });
    document = twoGpus();
    document["links"][0]["kind"] = "string";
    expectRefused(document, { "/links/0/kind", "string", "nvlink" });
    document = twoGpus();
    document["links"].push_back(document["links"][0]);
    expectRefused(document, { "0-1", "twice" });
    document["links"] = "none";
    expectRefused(document, { "links", "list" });
}
