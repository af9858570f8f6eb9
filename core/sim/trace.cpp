// SPDX-License-Identifier: Apache-2.0
#include "core/sim/trace.h"

#include <algorithm>

namespace stageloom {

double Trace::makespan() const
{
    double last = 0;
    for (const Span& span : spans)
        last = std::max(last, span.end);
    return last;
}

} // namespace stageloom
