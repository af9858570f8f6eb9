// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>

namespace stageloom::engine {

// Tokens a second, from when the batches ended. Batches overlap in the pipeline and may end
// together, so the time between two ends says little: every rate is over several batches, or from
// the start on.
class RateMeter {
public:
    explicit RateMeter(double tokensPerBatch)
        : m_tokensPerBatch(tokensPerBatch)
    {
    }
    // `time`: seconds of training, since the start, without what was held. In order.
    void add(double time);
    [[nodiscard]] double recent() const; // over the last batches; NaN: not known
    // Over the whole run; without the time in which the pipeline filled, once enough batches
    // follow it.
    [[nodiscard]] double mean() const;

    static constexpr std::int64_t kFilling = 2; // batches
    static constexpr std::int64_t kEnough = 8; // batches after them
    static constexpr std::size_t kRecent = 4; // batches

private:
    [[nodiscard]] double rate(std::int64_t batches, double since) const;

    double m_tokensPerBatch;
    std::int64_t m_batches = 0;
    double m_filled = 0; // when the last of the first kFilling batches ended
    std::deque<double> m_ends { 0 }; // the newest kRecent + 1, the start among them
};

} // namespace stageloom::engine
