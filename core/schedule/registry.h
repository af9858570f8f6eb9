// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/schedule/schedule.h"
#include <optional>
#include <string>
#include <vector>

namespace stageloom {

// The numbers a generator works from.
struct ScheduleRequest {
    std::string name = "2bw";
    int depth = 1; // workers d
    int microbatches = 1; // m, a batch
    int batches = 1; // n
    int microbatchSize = 1,
        width = 1; // b and w, for the message that names the smallest legal batch b·w·d
    std::vector<bool> recompute; // per stage; empty: none. Recompute actions precede the backwards
    // Gradient clipping or tied weights: updates wait for every stage's part (pass deferUpdates).
    bool crossStageUpdate = false;
};

struct ScheduleInfo {
    std::string name; // registry name
    std::string title; // "PipeDream-2BW"
    std::string summary; // one sentence
    VersionRule versionRule;
    bool available; // false: planned, makeSchedule answers with an error that says so
    int delayBatches; // staleness in batches (-1: differs by stage)
};

const std::vector<ScheduleInfo>& scheduleInfos();
const ScheduleInfo* findSchedule(const std::string& name);
// Generates, assigns versions, applies the passes the request asks for. Refuses e.g. 2bw with m <
// d.
Result<Schedule> makeSchedule(const ScheduleRequest& request);

} // namespace stageloom
