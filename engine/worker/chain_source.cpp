// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/chain_source.h"

namespace stageloom::engine {

namespace {
class Generator {
public:
    Generator(std::uint64_t seed, std::uint64_t step)
        : m_state(0x9E3779B97F4A7C15ULL ^ (seed * 1000003ULL + step))
    {
    }
    std::int64_t next(std::int64_t below)
    {
        m_state = m_state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::int64_t>((m_state >> 33) % static_cast<std::uint64_t>(below));
    }

private:
    std::uint64_t m_state;
};
}

ChainSource::ChainSource(const Shape& shape)
{
    for (int step = 0; step < shape.steps; ++step) {
        Generator generator(shape.seed, static_cast<std::uint64_t>(step));
        for (int k = 0; k < shape.microbatches; ++k) {
            MicrobatchData data;
            data.tokens = at::empty({ shape.microbatchSize, shape.seq }, at::kLong);
            data.targets = at::empty({ shape.microbatchSize, shape.seq }, at::kLong);
            auto* tokens = data.tokens.mutable_data_ptr<std::int64_t>();
            auto* targets = data.targets.mutable_data_ptr<std::int64_t>();
            for (int sample = 0; sample < shape.microbatchSize; ++sample) {
                std::int64_t current = generator.next(shape.vocabulary);
                for (std::int64_t i = 0; i < shape.seq; ++i) {
                    *tokens++ = current;
                    current = (5 * current + 7 + generator.next(4)) % shape.vocabulary;
                    *targets++ = current;
                }
            }
            m_microbatches.push_back(std::move(data));
        }
    }
}

Result<MicrobatchData> ChainSource::microbatch(std::int64_t k, const RunSignals&) const
{
    return m_microbatches[static_cast<std::size_t>(k)];
}

} // namespace stageloom::engine
