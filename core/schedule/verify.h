// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/schedule.h"
#include <string>
#include <vector>

namespace stageloom {

// One thing that is wrong, and where: worker and position in its list (-1: the schedule as a
// whole).
struct ScheduleFinding {
    std::string rule; // "once", "dependency", "deadlock", "version", "two-versions", "stash",
                      // "transfer", "update"
    std::string message; // a sentence with the action in text form
    int worker = -1;
    int position = -1;
};

struct ScheduleProof {
    std::vector<ScheduleFinding> findings; // empty: proven
    std::vector<int> peakStash; // per stage, microbatches
    std::vector<int> peakVersions; // per stage, live weight versions counted from the list
    [[nodiscard]] bool ok() const { return findings.empty(); }
};

struct VerifyOptions {
    int maxVersions = 0; // 0: by the rule (Flush 1, DelayOne 2, Stash unbounded)
    int maxStash = 0; // 0: not bounded
    int maxFindings = 20;
};

// Proves the list for *any* timing: order and dependencies only, no clock.
ScheduleProof verifySchedule(const Schedule& schedule, const VerifyOptions& options = {});

} // namespace stageloom
