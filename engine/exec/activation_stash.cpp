// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/activation_stash.h"

#include "core/base/check.h"
#include <algorithm>

namespace stageloom::engine {

std::size_t ActivationStash::indexOf(std::int64_t microbatch) const
{
    std::size_t i = 0;
    while (i < m_entries.size() && m_entries[i].microbatch != microbatch)
        ++i;
    return i;
}

StageStash& ActivationStash::open(std::int64_t microbatch)
{
    STAGELOOM_CHECK(indexOf(microbatch) == m_entries.size(), "a forward ran twice");
    m_entries.push_back({ microbatch, {} });
    m_peak = std::max(m_peak, m_entries.size());
    return m_entries.back().stash;
}

StageStash& ActivationStash::at(std::int64_t microbatch)
{
    const std::size_t i = indexOf(microbatch);
    STAGELOOM_CHECK(i < m_entries.size(), "a backward without its forward");
    return m_entries[i].stash;
}

void ActivationStash::close(std::int64_t microbatch)
{
    const std::size_t i = indexOf(microbatch);
    STAGELOOM_CHECK(i < m_entries.size(), "a stash was dropped twice");
    m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(i));
}

} // namespace stageloom::engine
