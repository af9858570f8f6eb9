// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/corpus.h"
#include "engine/exec/run_signals.h"
#include "engine/nn/layer.h"

namespace stageloom::engine {

// Where microbatches come from. Called by every stage that needs tokens or targets, from its own
// thread and at its own pace: the same k must give the same data every time.
class MicrobatchSource {
public:
    virtual ~MicrobatchSource() = default;
    // May block, but has to return once `signals` are aborted.
    virtual Result<MicrobatchData> microbatch(std::int64_t k, const RunSignals& signals) const = 0;
};

// Byte windows of a text, by the stream's deterministic sampler.
class TextSource : public MicrobatchSource {
public:
    // `text` must outlive the source.
    TextSource(const std::vector<std::uint8_t>& text, std::int64_t seq, int microbatchSize,
        std::uint64_t seed);
    Result<MicrobatchData> microbatch(std::int64_t k, const RunSignals& signals) const override;

private:
    Sampler m_sampler;
    std::int64_t m_seq;
    int m_size;
};

} // namespace stageloom::engine
