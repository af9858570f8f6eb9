// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/gpt2_reference.h"

#include <gtest/gtest.h>

using namespace stageloom;
using namespace stageloom::engine;
using namespace stageloom::engine::test;

namespace {

std::map<std::string, at::Tensor> initialized(
    const Model& model, const std::vector<int>& cuts, std::uint64_t seed)
{
    std::map<std::string, at::Tensor> result;
    for (std::size_t s = 0; s + 1 < cuts.size(); ++s) {
        const auto stage = buildStage(model, cuts[s], cuts[s + 1] - 1).value();
        auto flat = at::full({ stage->flatElements() }, 3.0f);
        initialize(*stage, flat, seed);
        result.merge(byName(*stage, stage->views(flat)));
    }
    return result;
}

} // namespace

TEST(Initialize, theCutDoesNotChangeAWeight)
{
    const auto model = tinyModel({ .blocks = 4 });
    const auto one = initialized(model, { 0, 7 }, 5);
    const auto four = initialized(model, { 0, 1, 3, 5, 7 }, 5);
    EXPECT_EQ(four.size(), one.size() + 1) << "the head's own copy";
    for (const auto& [name, weight] : one)
        EXPECT_TRUE(at::equal(weight, four.at(name))) << name;
    EXPECT_TRUE(at::equal(four.at("lm_head.weight"), one.at("wte.weight")));
}

TEST(Initialize, seedsAndParametersHaveStreamsOfTheirOwn)
{
    const auto model = tinyModel({ .blocks = 2, .tied = false });
    const auto a = initialized(model, { 0, 5 }, 5), b = initialized(model, { 0, 5 }, 6);
    EXPECT_FALSE(at::equal(a.at("wte.weight"), b.at("wte.weight")));
    EXPECT_FALSE(at::equal(a.at("wte.weight"), a.at("lm_head.weight")));
    EXPECT_FALSE(at::equal(a.at("h.0.mlp.c_fc.weight"), a.at("h.1.mlp.c_fc.weight")));
}

TEST(Initialize, spreadsAreGpt2s)
{
    auto model = tinyModel({ .blocks = 8 });
    model.shape.hidden = 96;
    model.shape.headDim = 32;
    model.shape.ffn = 384;
    const auto weights = initialized(model, { 0, 11 }, 1);
    const auto spread = [&](const char* name) { return weights.at(name).std().item<double>(); };
    EXPECT_NEAR(spread("h.3.attn.c_attn.weight"), 0.02, 0.0004);
    EXPECT_NEAR(spread("h.3.mlp.c_proj.weight"), 0.02 / 4, 0.0001); // 1/sqrt(2·8)
    EXPECT_NEAR(spread("h.3.attn.c_proj.weight"), 0.02 / 4, 0.0002);
    EXPECT_NEAR(spread("wpe.weight"), 0.02, 0.002);
    EXPECT_EQ(weights.at("h.0.ln_1.weight").min().item<double>(), 1);
    EXPECT_EQ(weights.at("h.0.attn.c_attn.bias").abs().max().item<double>(), 0);
}

TEST(Initialize, slotsAreAlignedAndPaddingIsZero)
{
    const auto model = tinyModel();
    const auto stage = buildStage(model, 0, 4).value();
    auto flat = at::full({ stage->flatElements() }, 3.0f);
    initialize(*stage, flat, 1);
    std::int64_t end = 0;
    for (const auto& slot : stage->slots()) {
        EXPECT_EQ(slot.offset % 16, 0);
        EXPECT_EQ(flat.narrow(0, end, slot.offset - end).abs().sum().item<double>(), 0);
        end = slot.offset + slot.spec.elements();
    }
    EXPECT_EQ(stage->layer(3).name(), "norm");
}
