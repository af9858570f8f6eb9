// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exec/run_signals.h"
#include "engine/exec/tied_weights.h"
#include <map>

namespace stageloom::engine {

struct ReducedBatch {
    double squaredNorm = 0; // of the whole gradient, tied matrices counted once
    at::Tensor tiedGradient; // owner + copy; undefined where nothing is tied. Read only: two stages
                             // share it
};

// The cross-stage part of an update: every stage hands in its part after its last backward of the
// batch and goes on computing; the last one adds up. Updates come later in the lists (deferred), so
// that the wait is rarely one.
class BatchReduction {
public:
    BatchReduction(int stages, std::optional<TiedPair> tied);

    // Never waits. `squaredNorms` in slot order; `tiedGradient` is a view that must stay unchanged
    // until the stage's update of this batch. Any thread.
    void post(
        int stage, std::int64_t update, std::vector<double> squaredNorms, at::Tensor tiedGradient);
    // Once a stage and update.
    Result<ReducedBatch> wait(int stage, std::int64_t update, RunSignals& signals);

private:
    struct Entry {
        std::vector<std::vector<double>> squaredNorms; // by stage
        at::Tensor owner, copy;
        int posted = 0, taken = 0;
        ReducedBatch result;
    };
    void complete(Entry& entry) const;
    [[nodiscard]] std::string missing(std::int64_t update) const;

    const int m_stages;
    const std::optional<TiedPair> m_tied;
    std::mutex m_mutex;
    std::condition_variable m_completed;
    std::map<std::int64_t, Entry> m_entries; // a few open updates
};

// Adds up parameter by parameter, stage after stage.
double foldSquaredNorms(const std::vector<std::vector<double>>& byStage);

} // namespace stageloom::engine
