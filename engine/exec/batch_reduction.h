// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/stage_module.h"
#include "engine/transport/run_signals.h"
#include <map>
#include <optional>

namespace stageloom::engine {

// One matrix that two stages hold: the owner (embedding) and the copy (head).
struct TiedPair {
    int ownerStage = 0, copyStage = 0;
    std::size_t ownerSlot = 0, copySlot = 0; // indices into slots()
};

// Finds the copy by ParameterSpec::tiedTo. None: nothing is tied across stages.
std::optional<TiedPair> findTiedPair(const std::vector<const StageModule*>& stages);

// The slot of the tied matrix on this stage, if it holds one.
std::optional<std::size_t> tiedSlotOn(const std::optional<TiedPair>& pair, int stage);

// What one stage hands in of an update.
struct StageGradient {
    std::vector<double> squaredNorms; // in slot order
    at::Tensor tied; // view of the tied matrix's gradient, where the stage holds it; has to stay
                     // unchanged until the stage's update
    bool lossFinite = true; // the last stage: of every microbatch
};

// What all stages together know of an update. Either all of them make it or none.
struct ReducedBatch {
    double squaredNorm = 0; // of the whole gradient, tied matrices counted once
    // Where the first number that is not finite came up on the gradient's way, so that nobody
    // updates; -1: nowhere.
    int brokenStage = -1;
    bool lossFinite = true;
    at::Tensor tiedGradient; // owner + copy; undefined where nothing is tied. Read only: two stages
                             // share it
    [[nodiscard]] bool finite() const { return brokenStage < 0; }
};

// Without what is tied. Adds up parameter by parameter, stage after stage.
ReducedBatch reduced(const std::vector<StageGradient>& byStage);

// The cross-stage part of an update: every stage hands in its part after its last backward of the
// batch and goes on computing; the last one adds up. Updates come later in the lists (deferred), so
// that the wait is rarely one.
class BatchReduction {
public:
    BatchReduction(int stages, std::optional<TiedPair> tied);

    // Never waits for a stage, and for no stage's adding up. Any thread.
    void post(int stage, std::int64_t update, StageGradient part);
    // Once a stage and update.
    Result<ReducedBatch> wait(int stage, std::int64_t update, RunSignals& signals);

private:
    struct Entry {
        std::vector<StageGradient> parts; // by stage
        std::vector<bool> posted;
        int missing = 0, taken = 0;
        bool ready = false; // added up
        ReducedBatch result;
    };
    void complete(Entry& entry) const;
    [[nodiscard]] std::string missing(std::int64_t update) const;

    const int m_stages;
    const std::optional<TiedPair> m_tied;
    std::mutex m_mutex;
    std::condition_variable m_completed;
    std::map<std::int64_t, Entry> m_entries; // a few open updates; entries keep their place
};

} // namespace stageloom::engine
