// SPDX-License-Identifier: Apache-2.0
#include "core/plan/steady_bubble.h"

namespace stageloom {

double steadyBubble(const Prediction& prediction)
{
    const Window window = steadyWindow(prediction.trace);
    if (window.batches < 1)
        return prediction.metrics.bubbleFraction;
    return measure(prediction.trace, window.begin, window.end).bubbleFraction;
}

} // namespace stageloom
