// SPDX-License-Identifier: Apache-2.0
// Each fault of a config is one sentence that names file, key and value.
#include "tests/core/model/model_fixtures.h"

#include <algorithm>

using namespace stageloom;
using namespace stageloom::test;

namespace {

void expectRefused(const Result<Model>& model, const std::vector<std::string>& words)
{
    ASSERT_FALSE(model) << "accepted; expected a message with " << words.front();
    for (const std::string& word : words)
        EXPECT_NE(model.error().message.find(word), std::string::npos)
            << "'" << word << "' is not in: " << model.error().message;
    EXPECT_EQ(model.error().message.find('\n'), std::string::npos);
}

} // namespace

TEST(ModelRefusals, eachSizeIsCheckedByName)
{
    for (const char* key : { "n_embd", "n_head", "n_layer", "n_positions", "vocab_size" }) {
        expectRefused(made(with(smallGpt2(), key, nullptr)), { "small.json", key, "missing" });
        expectRefused(made(with(smallGpt2(), key, 0)), { key, "is 0", "from 1 to" });
        expectRefused(made(with(smallGpt2(), key, -3)), { key, "-3", "from 1 to" });
        expectRefused(made(with(smallGpt2(), key, 1.5)), { key, "1.5", "whole number" });
        expectRefused(made(with(smallGpt2(), key, "12")), { key, "\"12\"", "whole number" });
        expectRefused(made(with(smallGpt2(), key, 1e18)), { key, "1e+18", "from 1 to" });
    }
}

TEST(ModelRefusals, headsMustDivide)
{
    expectRefused(made(with(smallGpt2(), "n_head", 5)), { "n_embd", "24", "n_head", "5" });
    expectRefused(made(with(smallLlama(), "num_key_value_heads", 3)),
        { "num_attention_heads", "4", "num_key_value_heads", "3" });
}

TEST(ModelRefusals, flagsAndWordsHaveTheirTypes)
{
    expectRefused(made(with(smallGpt2(), "tie_word_embeddings", "yes")),
        { "tie_word_embeddings", "\"yes\"", "true or false" });
    expectRefused(
        made(with(smallGpt2(), "layer_norm_epsilon", -1)), { "layer_norm_epsilon", "-1" });
    expectRefused(made(with(smallGpt2(), "model_type", 3)), { "model_type", "3" });
    expectRefused(made(Json::array({ 1 })), { "small.json", "object" });
}

TEST(ModelRefusals, unsupportedFamiliesAreNamedWithWhatIsSupported)
{
    expectRefused(made({ { "model_type", "t5" } }),
        { "model_type", "t5", "encoder-decoder models are not planned", "gpt2" });
    expectRefused(made({ { "model_type", "moe" }, { "num_local_experts", 8 } }),
        { "model_type", "moe", "mixture-of-experts", "llama" });
    std::vector<std::string> words = supportedFamilies();
    EXPECT_GE(words.size(), 6u);
    words.insert(words.begin(), "newest");
    expectRefused(made({ { "model_type", "newest" } }), words);
    expectRefused(made({ { "hidden_size", 4 } }), { "model_type", "missing" });
}

TEST(ModelRefusals, aSupportedFamilyIsRefusedForItsMissingSizesOnly)
{
    for (const std::string& family : supportedFamilies())
        expectRefused(made({ { "model_type", family } }), { "small.json", "_", "missing" });
}

TEST(ModelRefusals, lengthBeyondLearnedPositionsIsRefusedButNotedForRotary)
{
    expectRefused(made(smallGpt2(), 33), { "33", "32", "small.json" });
    expectRefused(made(smallBert("BertModel"), 33), { "33", "32" });
    expectRefused(made(smallGpt2(), -1), { "-1" });
    const auto rotary = made(smallLlama(), 65);
    ASSERT_TRUE(rotary);
    ASSERT_EQ(rotary->notes.size(), 1u);
    EXPECT_NE(rotary->notes[0].find("64"), std::string::npos);
}

TEST(ModelRefusals, strangeFilesAreRecognised)
{
    const ScratchFolder folder;
    const auto read = [](const std::string& path) { return readModel(path, {}); };
    expectRefused(read(folder.write("empty.json", "")), { "empty.json", "empty" });
    expectRefused(read(folder.write("picture.json", "\x89PNG\r\n\x1a\n")), { "picture" });
    expectRefused(read(folder.write("w.json", "version https://git-lfs.github.com/spec/v1\n")),
        { "Git LFS pointer", "git lfs pull" });
    expectRefused(read(folder.write("b.json", std::string("\1\0\2", 3))), { "binary" });
    expectRefused(read(folder.write("wide.json", std::string("\xff\xfe{\0\"\0a\0", 8))),
        { "UTF-16", "iconv" });
    expectRefused(read(folder.write("le.json", std::string("{\0\"\0a\0", 6))), { "UTF-16" });
    expectRefused(read(folder.write("bad.json", "{\"a\": NaN}")), { "bad.json", "line 1", "NaN" });
    expectRefused(read(folder.path().string()), { "config.json", folder.path().string() });
    expectRefused(read("no-such-model"), { "no-such-model", "presets are" });
    expectRefused(read("preset:gtp2"), { "did you mean 'gpt2'" });
}

// Python's json writes Infinity: harmless where nothing here reads the key.
TEST(ModelRefusals, infinityIsReadWhereNothingUsesIt)
{
    const ScratchFolder folder;
    std::string text = smallGpt2().dump();
    text.insert(
        text.size() - 1, R"(,"range":[0.0,Infinity,-Infinity],"what":"a \"NaN\" in a text")");
    const auto model = readModel(folder.write("inf.json", text), {});
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->parameters, made(smallGpt2())->parameters);
    EXPECT_EQ(model->config["range"][2], "-Infinity");
    EXPECT_EQ(model->config["what"], "a \"NaN\" in a text");
    ASSERT_EQ(model->notes.size(), 1u);
    EXPECT_NE(model->notes[0].find("Infinity"), std::string::npos);
    text = text.replace(text.find("\"n_embd\":24"), 11, "\"n_embd\":NaN");
    expectRefused(readModel(folder.write("used.json", text), {}), { "used.json", "line 1", "NaN" });
}

TEST(ModelRefusals, aHugeFileIsNotRead)
{
    const ScratchFolder folder;
    const std::string path = folder.write("huge.json", "{");
    std::filesystem::resize_file(path, 2'000'000'000); // a hole: takes no disk
    expectRefused(readModel(path, {}), { "huge.json", "1.86 GiB" });
}

TEST(ModelRefusals, aFolderIsReadThroughItsConfig)
{
    const ScratchFolder folder;
    const std::string file = folder.write("tiny/config.json", "\n" + smallGpt2().dump());
    const auto model = readModel((folder.path() / "tiny").string(), {});
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->name, "tiny");
    EXPECT_EQ(readModel(file, {})->name, "tiny");
    EXPECT_EQ(readModel((folder.path() / "tiny/").string(), {})->name, "tiny");
}

TEST(ModelRefusals, realMalformedConfigsAreRefused)
{
    if (!std::filesystem::exists(casesFolder()))
        GTEST_SKIP() << "no cases beside this checkout";
    const auto read
        = [](const char* file) { return readModel((casesFolder() / file).string(), {}); };
    expectRefused(
        read("malformed/config-nan-hidden.json"), { "config-nan-hidden.json", "line 14" });
    expectRefused(read("malformed/config-no-heads.json"), { "num_attention_heads", "missing" });
    expectRefused(read("malformed/config-zero-heads.json"), { "num_attention_heads", "from 1 to" });
    expectRefused(read("weights/git-lfs-pointer-granite.safetensors"), { "Git LFS pointer" });
    const std::vector<std::string> supported = supportedFamilies();
    for (const char* family : { "mixtral-8x7b", "deepseek-v2-lite", "pythia-6.9b", "t5-small",
             "qwen3-vl-30b-a3b-nested" }) {
        const std::string file = std::string("configs/") + family + ".config.json";
        const Json config = readJsonFile(casesFolder() / file).value();
        if (std::count(supported.begin(), supported.end(), config["model_type"]) == 0)
            expectRefused(read(file.c_str()), { family, "model_type", "supported are" });
    }
}
