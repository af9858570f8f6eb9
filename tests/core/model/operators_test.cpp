// SPDX-License-Identifier: Apache-2.0
// Operators against the layers' closed formulas, and their weights against a real file's tensors.
#include "core/model/operators.h"
#include "tests/core/model/model_fixtures.h"

#include <cstring>
#include <map>
#include <numeric>

using namespace stageloom;
using namespace stageloom::test;

namespace {

constexpr LayerKind kKinds[]
    = { LayerKind::Embedding, LayerKind::Block, LayerKind::Norm, LayerKind::Head };

const Operator& named(const std::vector<Operator>& all, const std::string& name)
{
    for (const Operator& one : all)
        if (one.name == name)
            return one;
    ADD_FAILURE() << "no operator " << name;
    return all.front();
}

std::int64_t product(const std::vector<std::int64_t>& shape)
{
    return std::accumulate(shape.begin(), shape.end(), std::int64_t(1), std::multiplies<>());
}

// Names and shapes of a safetensors file, from its header.
std::map<std::string, std::vector<std::int64_t>> tensorsOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::uint64_t length = 0;
    char bytes[8];
    file.read(bytes, 8);
    std::memcpy(&length, bytes, 8);
    std::string header(length, ' ');
    file.read(header.data(), std::streamsize(length));
    std::map<std::string, std::vector<std::int64_t>> shapes;
    const Json parsed = Json::parse(header);
    for (const auto& [name, entry] : parsed.items())
        if (entry.contains("shape"))
            shapes[name] = entry["shape"].get<std::vector<std::int64_t>>();
    return shapes;
}

} // namespace

TEST(Operators, addUpToEveryLayerOfEveryFamilyAndPreset)
{
    std::vector<Model> models;
    for (const Json& config : { smallGpt2(), smallLlama("llama"), smallLlama("mistral"),
             smallLlama("qwen2"), smallLlama("qwen3"), smallBert("BertModel"),
             smallBert("BertForMaskedLM"), smallBert("BertForPreTraining") })
        models.push_back(*made(config, 16, Dtype::Bf16));
    for (const std::string& name : modelPresets())
        models.push_back(*readModel(name, {}));
    for (const Model& model : models)
        for (const Layer& layer : model.layers) {
            const auto parts = operatorsOf(model, layer.kind);
            ASSERT_TRUE(parts) << parts.error().message;
            ASSERT_FALSE(parts->empty()) << model.family << " " << layer.name;
            std::int64_t parameters = 0;
            double flops = 0, stash = 0;
            for (const Operator& part : *parts) {
                parameters += part.parameters;
                flops += part.forwardFlops;
                stash += part.stashBytes;
            }
            EXPECT_EQ(parameters, layer.parameters) << model.family << " " << layer.name;
            EXPECT_EQ(flops, layer.forwardFlops) << model.family << " " << layer.name;
            EXPECT_EQ(stash, layer.stashBytes) << model.family << " " << layer.name;
        }
}

// A product's FLOPs, parameters and output follow from its weight's shape alone.
TEST(Operators, productsFollowFromTheShapesOfTheirWeights)
{
    const std::int64_t seq = 16;
    for (const Json& config : { smallGpt2(), smallLlama("qwen3") }) {
        const auto block = operatorsOf(*made(config, seq), LayerKind::Block);
        ASSERT_TRUE(block);
        for (const Operator& one : *block) {
            if (one.weightShape.size() != 2)
                continue;
            EXPECT_EQ(one.forwardFlops, 2.0 * double(seq * product(one.weightShape))) << one.name;
            EXPECT_EQ(product(one.weightShape), one.inputWidth * one.outputWidth) << one.name;
            EXPECT_EQ(one.outputBytes, 4.0 * double(seq * one.outputWidth)) << one.name;
            EXPECT_TRUE(one.parameters == product(one.weightShape)
                || one.parameters == product(one.weightShape) + one.outputWidth)
                << one.name;
        }
    }
}

TEST(Operators, aGatedBlockKeepsAnInputOnceThatSeveralShare)
{
    const auto model = made(smallLlama(), 16, Dtype::Bf16);
    const auto block = operatorsOf(*model, LayerKind::Block);
    ASSERT_TRUE(block);
    EXPECT_EQ(named(*block, "q_proj").stashBytes, 16 * 24 * 2);
    EXPECT_EQ(named(*block, "k_proj").stashBytes, 0);
    EXPECT_EQ(named(*block, "k_proj").stashWith, "q_proj");
    EXPECT_EQ(named(*block, "up_proj").stashWith, "gate_proj");
    EXPECT_EQ(named(*block, "SwiGLU").stashBytes, 16 * 2 * 40 * 2);
    EXPECT_EQ(named(*block, "attention").stashBytes, 16 * ((40 + 2 * 20) * 2 + 4 * 4));
    EXPECT_EQ(named(*block, "gate_proj").weightShape, (std::vector<std::int64_t> { 40, 24 }));
}

TEST(Operators, aTiedHeadOwnsNothingAndSaysWhatItUses)
{
    const auto head = operatorsOf(*made(smallGpt2(), 16), LayerKind::Head);
    ASSERT_TRUE(head);
    ASSERT_EQ(head->size(), 1u);
    EXPECT_EQ(head->front().parameters, 0);
    EXPECT_EQ(head->front().tiedParameters, 100 * 24);
    EXPECT_TRUE(head->front().weightName.empty());
}

TEST(Operators, nameAndShapeTheWeightsAsARealFileDoes)
{
    const auto folder = casesFolder() / "weights" / "tiny-gpt2";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "no cases beside this checkout";
    const auto tensors = tensorsOf(folder / "model.safetensors");
    const auto model = readModel(folder.string(), {});
    ASSERT_TRUE(model);
    std::int64_t met = 0;
    for (const LayerKind kind : kKinds) {
        const auto parts = operatorsOf(*model, kind);
        ASSERT_TRUE(parts);
        for (const Operator& part : *parts) {
            if (part.weightName.empty())
                continue;
            std::string name = part.weightName + ".weight";
            if (const auto at = name.find("{}"); at != std::string::npos)
                name.replace(at, 2, "0");
            const auto found = tensors.find(name);
            ASSERT_NE(found, tensors.end()) << name;
            EXPECT_EQ(found->second, part.weightShape) << name;
            ++met;
        }
    }
    EXPECT_EQ(met, 9); // wte, wpe, ln_1, c_attn, c_proj, ln_2, c_fc, c_proj, ln_f
}
