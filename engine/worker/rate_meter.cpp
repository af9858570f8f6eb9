// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/rate_meter.h"

#include <limits>

namespace stageloom::engine {

void RateMeter::add(double time)
{
    m_ends.push_back(time);
    if (m_ends.size() > kRecent + 1)
        m_ends.pop_front();
    if (++m_batches == kFilling)
        m_filled = time;
}

double RateMeter::rate(std::int64_t batches, double since) const
{
    const double time = m_ends.back() - since;
    return time > 0 ? m_tokensPerBatch * double(batches) / time
                    : std::numeric_limits<double>::quiet_NaN();
}

double RateMeter::recent() const
{
    return rate(std::int64_t(m_ends.size()) - 1, m_ends.front());
}

double RateMeter::mean() const
{
    return m_batches >= kFilling + kEnough ? rate(m_batches - kFilling, m_filled)
                                           : rate(m_batches, 0);
}

} // namespace stageloom::engine
