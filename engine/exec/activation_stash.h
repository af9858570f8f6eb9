// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/stage_module.h"
#include <vector>

namespace stageloom::engine {

// The microbatches in flight on one stage. Owned by the stage's thread.
class ActivationStash {
public:
    StageStash& open(std::int64_t microbatch); // its forward begins
    StageStash& at(std::int64_t microbatch);
    void close(std::int64_t microbatch); // its backward is done

    [[nodiscard]] std::size_t size() const { return m_entries.size(); }
    [[nodiscard]] std::size_t peak() const { return m_peak; }

private:
    struct Entry {
        std::int64_t microbatch;
        StageStash stash;
    };
    [[nodiscard]] std::size_t indexOf(std::int64_t microbatch) const;
    std::vector<Entry> m_entries; // few: a search beats a map
    std::size_t m_peak = 0;
};

} // namespace stageloom::engine
