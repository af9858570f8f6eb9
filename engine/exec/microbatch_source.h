// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/nn/layer.h"
#include "engine/transport/run_signals.h"

namespace stageloom::engine {

// Where microbatches come from. Called by every stage that needs tokens or targets, from its own
// thread and at its own pace: the same k must give the same data every time.
class MicrobatchSource {
public:
    virtual ~MicrobatchSource() = default;
    // Microbatch k, counted from 0 over the whole run: tokens and targets, int64 [b, seq] each. May
    // block, but has to return once `signals` are aborted.
    virtual Result<MicrobatchData> microbatch(std::int64_t k, const RunSignals& signals) const = 0;
};

} // namespace stageloom::engine
