// SPDX-License-Identifier: Apache-2.0
// Parameter counts: our small models by hand, the presets and the real files by published numbers.
#include "tests/core/model/model_fixtures.h"

using namespace stageloom;
using namespace stageloom::test;

TEST(ModelCounts, gpt2AddsUpAndOwnsNoHead)
{
    const auto model = made(smallGpt2());
    ASSERT_TRUE(model) << model.error().message;
    // V·d + P·d + L·(12d² + 13d) + 2d
    EXPECT_EQ(model->parameters, 100 * 24 + 32 * 24 + 3 * (12 * 576 + 13 * 24) + 48);
    ASSERT_EQ(model->layers.size(), 6u);
    EXPECT_EQ(model->layers[0].name, "embedding");
    EXPECT_EQ(model->layers[3].name, "block 2");
    EXPECT_EQ(model->layers[4].kind, LayerKind::Norm);
    EXPECT_EQ(model->layers[5].parameters, 0);
    EXPECT_EQ(model->layers[5].tiedTo, "embedding");
    EXPECT_EQ(model->layers[5].tiedParameters, 100 * 24);
}

TEST(ModelCounts, theTieKeyAndTheInnerWidthAreHonoured)
{
    const auto untied = made(with(smallGpt2(), "tie_word_embeddings", false));
    ASSERT_TRUE(untied);
    EXPECT_EQ(untied->layers.back().parameters, 2400);
    EXPECT_TRUE(untied->layers.back().tiedTo.empty());
    EXPECT_EQ(untied->layers.back().tiedParameters, 0);
    const auto wide = made(with(smallGpt2(), "n_inner", 100));
    ASSERT_TRUE(wide);
    EXPECT_EQ(wide->parameters, made(smallGpt2())->parameters + 3 * (2 * 24 * 4 + 4));
    const auto null = made(with(smallGpt2(), "n_inner", nullptr));
    ASSERT_TRUE(null);
    EXPECT_EQ(null->parameters, made(smallGpt2())->parameters);
}

TEST(ModelCounts, llamaLikeFamiliesDifferByTheirBiasesAndNorms)
{
    // d·H·h + 2·d·K·h + H·h·d + 3·d·f + 2d
    const std::int64_t block = 24 * 40 + 2 * 24 * 20 + 40 * 24 + 3 * 24 * 40 + 48;
    const std::int64_t plain = 2 * 2400 + 2 * block + 24;
    EXPECT_EQ(made(smallLlama("llama"))->parameters, plain);
    EXPECT_EQ(made(smallLlama("mistral"))->parameters, plain);
    EXPECT_EQ(made(smallLlama("qwen2"))->parameters, plain + 2 * (40 + 20 + 20));
    EXPECT_EQ(made(smallLlama("qwen3"))->parameters, plain + 2 * 2 * 10);
    const auto biased = made(with(with(smallLlama(), "attention_bias", true), "mlp_bias", true));
    EXPECT_EQ(biased->parameters, plain + 2 * (40 + 20 + 20 + 24 + 40 + 40 + 24));
    EXPECT_EQ(made(with(smallLlama(), "tie_word_embeddings", true))->parameters, plain - 2400);
}

// The defaults of Hugging Face's config classes: MistralConfig 8, Qwen2Config and Qwen3Config 32,
// LlamaConfig as many as attention heads.
TEST(ModelCounts, aFileWithoutKeyValueHeadsGetsItsFamilysDefault)
{
    const auto headsOf = [](const char* family, int heads) {
        Json config = with(smallLlama(family), "num_attention_heads", heads);
        config.erase("num_key_value_heads");
        const auto model = made(config);
        EXPECT_TRUE(model) << model.error().message;
        return model ? model->shape.kvHeads : 0;
    };
    EXPECT_EQ(headsOf("mistral", 16), 8);
    EXPECT_EQ(headsOf("qwen2", 64), 32);
    EXPECT_EQ(headsOf("qwen3", 64), 32);
    EXPECT_EQ(headsOf("llama", 64), 64);
    EXPECT_EQ(headsOf("qwen2", 14), 14) << "32 cannot have been meant";
}

TEST(ModelCounts, aMistralWithoutAWindowHasItsFamilys)
{
    const auto flops
        = [](const Json& config) { return made(config, 8000)->layers[1].forwardFlops; };
    const Json config = smallLlama("mistral");
    EXPECT_EQ(flops(config), flops(with(config, "sliding_window", 4096)));
    EXPECT_GT(flops(with(config, "sliding_window", nullptr)), flops(config));
}

TEST(ModelCounts, dropoutIsNotedWithItsKeys)
{
    const auto notesOf = [](const Json& config) { return made(config)->notes; };
    EXPECT_TRUE(notesOf(smallGpt2()).empty());
    EXPECT_TRUE(notesOf(with(smallGpt2(), "resid_pdrop", 0.0)).empty());
    for (const auto& [config, key] : { std::pair(smallGpt2(), "attn_pdrop"),
             std::pair(smallBert("BertModel"), "hidden_dropout_prob"),
             std::pair(smallLlama(), "attention_dropout") }) {
        const auto notes = notesOf(with(config, key, 0.1));
        ASSERT_EQ(notes.size(), 1u) << key;
        EXPECT_NE(notes[0].find(key), std::string::npos);
        EXPECT_NE(notes[0].find("dropout is left out"), std::string::npos);
    }
}

TEST(ModelCounts, bertSaysWhichHeadsItCounts)
{
    const std::int64_t d = 24, f = 40, v = 100;
    const std::int64_t body
        = (v + 32 + 2) * d + 2 * d + 2 * (4 * (d * d + d) + 2 * d * f + f + d + 4 * d);
    const std::int64_t pooler = d * d + d, masked = d * d + d + 2 * d + v;
    const auto plain = made(smallBert("BertModel"));
    EXPECT_EQ(plain->parameters, body + pooler);
    EXPECT_NE(plain->counted.find("pooler"), std::string::npos);
    const auto language = made(smallBert("BertForMaskedLM"));
    EXPECT_EQ(language->parameters, body + masked);
    EXPECT_NE(language->counted.find("BertForMaskedLM"), std::string::npos);
    EXPECT_EQ(
        made(smallBert("BertForPreTraining"))->parameters, body + pooler + masked + 2 * d + 2);
    EXPECT_FALSE(plain->shape.causal);
}

TEST(ModelCounts, presetsHaveTheirPublishedSizes)
{
    const std::pair<const char*, std::int64_t> published[]
        = { { "gpt2", 124'439'808 }, { "gpt2-medium", 354'823'168 }, { "gpt2-large", 774'030'080 },
              { "gpt2-xl", 1'557'611'200 } };
    for (const auto& [name, count] : published) {
        const auto model = readModel(std::string("preset:") + name, {});
        ASSERT_TRUE(model) << model.error().message;
        EXPECT_EQ(model->parameters, count) << name;
        EXPECT_EQ(model->name, name);
    }
    for (const std::string& name : modelPresets())
        EXPECT_TRUE(readModel(name, {})) << name;
    EXPECT_GE(modelPresets().size(), 6u);
}

TEST(ModelCounts, realConfigsHaveTheirPublishedSizes)
{
    if (!std::filesystem::exists(casesFolder()))
        GTEST_SKIP() << "no cases beside this checkout";
    const std::pair<const char*, std::int64_t> published[] = {
        { "configs/gpt2-small.config.json", 124'439'808 },
        { "configs/gpt2-named-but-large.config.json", 774'030'080 },
        { "configs/llama-2-7b.config.json", 6'738'415'616 },
        { "configs/llama-3.2-1b-tied.config.json", 1'235'814'400 },
        { "configs/mistral-7b-v0.3-one-line.config.json", 7'248'023'552 },
        { "configs/qwen3-0.6b.config.json", 596'049'920 },
        { "configs/bert-base-uncased.config.json", 109'514'298 },
        { "weights/llama-3.2-3b.config.json", 3'212'749'824 },
        // By the GPT-2 formula and by the tensors beside it without the two causal masks attn.bias.
        // (A name match on "attn.bias" also takes c_attn.bias, 2 x 48, and comes to 8,544.)
        { "weights/tiny-gpt2", 8'640 },
    };
    for (const auto& [file, count] : published) {
        const auto model = readModel((casesFolder() / file).string(), {});
        ASSERT_TRUE(model) << model.error().message;
        EXPECT_EQ(model->parameters, count) << file;
        std::int64_t sum = 0;
        for (const Layer& layer : model->layers)
            sum += layer.parameters;
        EXPECT_EQ(sum, count) << file;
    }
}
