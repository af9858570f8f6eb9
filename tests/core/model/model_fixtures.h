// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/model.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace stageloom::test {

// A small GPT-2 whose sizes are all different, so that a mixed-up factor shows.
inline Json smallGpt2()
{
    return { { "model_type", "gpt2" }, { "vocab_size", 100 }, { "n_positions", 32 },
        { "n_embd", 24 }, { "n_layer", 3 }, { "n_head", 4 } };
}

// Grouped queries and a head size that is not hidden / heads.
inline Json smallLlama(const std::string& family = "llama")
{
    return { { "model_type", family }, { "vocab_size", 100 }, { "hidden_size", 24 },
        { "intermediate_size", 40 }, { "num_hidden_layers", 2 }, { "num_attention_heads", 4 },
        { "num_key_value_heads", 2 }, { "head_dim", 10 }, { "max_position_embeddings", 64 } };
}

inline Json smallBert(const std::string& architecture)
{
    return { { "model_type", "bert" }, { "architectures", { architecture } }, { "vocab_size", 100 },
        { "hidden_size", 24 }, { "intermediate_size", 40 }, { "num_hidden_layers", 2 },
        { "num_attention_heads", 4 }, { "max_position_embeddings", 32 }, { "type_vocab_size", 2 } };
}

inline Json with(Json config, const std::string& key, const Json& value)
{
    config[key] = value;
    return config;
}

inline Result<Model> made(const Json& config, std::int64_t seq = 0, Dtype dtype = Dtype::Fp32)
{
    return modelFromConfig(config, "small.json", ModelOptions { seq, dtype });
}

// The real files beside the checkout; a test skips where they are absent.
inline std::filesystem::path casesFolder()
{
    return std::filesystem::path(STAGELOOM_SOURCE_DIR) / ".." / "shared" / "cases";
}

// A folder of the test's own, removed at its end.
class ScratchFolder {
public:
    ScratchFolder()
        : m_path(std::filesystem::temp_directory_path()
            / fmt::format("stageloom-test-{}-{}", ::getpid(), s_next++))
    {
        std::filesystem::create_directories(m_path);
    }
    ~ScratchFolder() { std::filesystem::remove_all(m_path); }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] std::string write(const std::string& name, const std::string& content) const
    {
        std::filesystem::create_directories((m_path / name).parent_path());
        std::ofstream(m_path / name, std::ios::binary) << content;
        return (m_path / name).string();
    }
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    static inline int s_next = 0;
    std::filesystem::path m_path;
};

} // namespace stageloom::test
