// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/demand.h"

namespace stageloom {

// One thing that is wrong, and where: worker and position in its list (-1: the schedule as a
// whole).
struct ScheduleFinding {
    // "once", "deadlock", "version", "two-versions", "stash", "transfer", "update"
    std::string rule;
    // A sentence with the action in text form.
    std::string message;
    int worker = -1;
    int position = -1;
};

// Beside what the list demands of its stages: what is wrong with it.
struct ScheduleProof : ListDemand {
    // Empty: proven. At most VerifyOptions::maxFindings, the rest is counted.
    std::vector<ScheduleFinding> findings;
    std::size_t furtherFindings = 0;
    [[nodiscard]] bool ok() const { return findings.empty(); }
};

struct VerifyOptions {
    // 0: by the rule (Flush 1, DelayOne 2, Stash unbounded).
    int maxVersions = 0;
    // Microbatches in flight on a stage; 0: not bounded.
    int maxStash = 0;
    int maxFindings = 20;
    // Messages under way on one border in one direction: a SEND waits while so many are sent and
    // not received. 0: rendezvous, both sides stand at the transfer, and transfers that follow one
    // another in a list are posted together (batched isend/irecv).
    static constexpr int kAnySlots = -1;
    int borderSlots = kAnySlots;
};

// Proves the list for *any* timing: order and dependencies only, no clock. Linear in the list, and
// about a byte for each microbatch of a stage beside it.
ScheduleProof verifySchedule(const Schedule& schedule, const VerifyOptions& options = {});

// The fewest slots with which no SEND blocks the list for ever, -1 where none suffice. Of a list
// whose transfers are actions and which is sound otherwise.
int smallestSlots(const Schedule& schedule);

} // namespace stageloom
