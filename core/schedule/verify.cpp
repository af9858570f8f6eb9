// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/verify.h"

#include "core/schedule/verify_rules.h"

#include <algorithm>

namespace stageloom {

ScheduleProof verifySchedule(const Schedule& schedule, const VerifyOptions& options)
{
    ScheduleProof proof;
    verify::Findings findings(proof, options.maxFindings);
    static_cast<ListDemand&>(proof) = demandOf(schedule);
    verify::proveOrder(schedule, options.borderSlots, findings);
    verify::proveStages(schedule, proof, options, findings);
    return proof;
}

int smallestSlots(const Schedule& schedule)
{
    const auto runs = [&](int slots) {
        ScheduleProof proof;
        verify::Findings findings(proof, 1);
        verify::proveOrder(schedule, slots, findings);
        return proof.ok();
    };
    if (!runs(VerifyOptions::kAnySlots))
        return -1;
    // From one slot on, more never block what fewer let through: the answer lies between the last
    // refusal and the first success.
    int enough = 0, tooFew = -1;
    while (!runs(enough)) {
        tooFew = enough;
        enough = std::max(1, 2 * enough);
    }
    while (enough - tooFew > 1) {
        const int middle = tooFew + (enough - tooFew) / 2;
        (runs(middle) ? enough : tooFew) = middle;
    }
    return enough;
}

} // namespace stageloom
