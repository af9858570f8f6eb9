// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exec/microbatch_source.h"

namespace stageloom::engine {

// Synthetic text for benchmarks: an order-1 chain next = (5·current + 7 + r) mod vocabulary, r in
// 0..3 from a 64-bit congruential generator that starts anew every step. Its entropy is ln 4. Made
// before the clock starts.
class ChainSource : public MicrobatchSource {
public:
    struct Shape {
        int steps = 1, microbatches = 1, microbatchSize = 1;
        std::int64_t seq = 1, vocabulary = 256;
        std::uint64_t seed = 1234;
    };
    explicit ChainSource(const Shape& shape);
    Result<MicrobatchData> microbatch(std::int64_t k, const RunSignals& signals) const override;

private:
    std::vector<MicrobatchData> m_microbatches;
};

} // namespace stageloom::engine
