// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/schedule/schedule.h"
#include <string>
#include <vector>

namespace stageloom {

// What a plan has where nobody chose.
inline constexpr const char* kDefaultSchedule = "2bw";
// Stands in where the default has too few microbatches, and where no delay is wanted.
inline constexpr const char* kFlushSchedule = "1f1b";

// The numbers a generator works from.
struct ScheduleRequest {
    std::string name = kDefaultSchedule;
    // Workers d, microbatches a batch m, batches n.
    int depth = 1, microbatches = 1, batches = 1;
    // b and w, for the message that names the smallest legal batch b·w·m.
    int microbatchSize = 1, width = 1;
    // Per stage; empty: none. Recompute actions precede the backwards.
    std::vector<bool> recompute;
    // Gradient clipping or tied weights: updates wait for every stage's part (pass deferUpdates).
    bool crossStageUpdate = false;
};

// One row of the table of schedules: all that the rest of the program knows of a schedule. Whoever
// wants to know what one does asks its row (or counts it from the list), never its name.
struct ScheduleInfo {
    std::string name;
    std::string title;
    // One sentence.
    std::string summary;
    VersionRule versionRule = VersionRule::Flush;
    // Staleness of a gradient in batches; -1: differs by stage.
    int delayBatches = 0;
    // The pipeline drains before every update.
    bool flushes = true;
    // Its lists have input and weight gradients as actions of their own.
    bool splitsBackward = false;
    // Smallest m of a pipeline of this depth.
    int (*leastMicrobatches)(int depth) = [](int) { return 1; };
    // The order of depth, microbatches a batch and batches; null: planned, not in this version.
    Schedule (*generate)(int depth, int microbatches, int batches) = nullptr;

    [[nodiscard]] bool available() const { return generate != nullptr; }
};

const std::vector<ScheduleInfo>& scheduleInfos();
// Null where there is no such row.
const ScheduleInfo* findSchedule(const std::string& name);
// Its pipeline drains, and fills anew, in every batch; false for a list that no row made.
bool fillsEachBatch(const std::string& name);
// Names of the available ones, in the order of the table.
std::vector<std::string> scheduleNames();
// The row of a schedule that this version makes; else a sentence that names those it does.
Result<const ScheduleInfo*> availableSchedule(const std::string& name);
// Refuses too few microbatches, with the smallest legal batch.
Status checkMicrobatches(const ScheduleInfo& info, const ScheduleRequest& request);
// Actions of one batch, all stages together; the lists have no more.
std::int64_t actionsABatch(const ScheduleRequest& request);
// Generates, assigns versions, applies the passes the request asks for, adds the transfers.
Result<Schedule> makeSchedule(const ScheduleRequest& request);

} // namespace stageloom
