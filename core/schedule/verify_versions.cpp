// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/verify_versions.h"

#include "core/schedule/text_format.h"

#include <algorithm>
#include <map>

namespace stageloom {

namespace {

struct Place {
    int worker, position;
};

// What a stage's versions go through, in list order.
struct StageVersions {
    int newest = 0;
    std::map<int, std::pair<int, int>>
        life; // version -> (made at, last read at), positions in the worker's list
    std::vector<int> readBy; // microbatch -> version its forward read (-1: none yet)
};

int expectedVersion(const Schedule& schedule, int batch)
{
    return schedule.versionRule == VersionRule::DelayOne ? std::max(batch - 1, 0) : batch;
}

} // namespace

void verifyVersions(const Schedule& schedule, const VerifyOptions& options, ScheduleProof& proof)
{
    proof.peakVersions.assign(std::size_t(schedule.stages), 0);
    const int total = schedule.microbatches * schedule.batches;
    std::vector<StageVersions> stages(std::size_t(schedule.stages));
    bool hasVersions = false;
    const auto find = [&](const char* rule, std::string message, const Place& place) {
        proof.findings.push_back({ rule, std::move(message), place.worker, place.position });
    };
    for (std::size_t w = 0; w < schedule.workers.size(); ++w)
        for (std::size_t i = 0; i < schedule.workers[w].size(); ++i) {
            const Action& action = schedule.workers[w][i];
            const Place place { int(w), int(i) };
            if (action.stage < 0 || action.stage >= schedule.stages || action.version < 0
                || action.microbatch < 0 || action.microbatch >= total)
                continue;
            hasVersions = true;
            StageVersions& stage = stages[std::size_t(action.stage)];
            if (stage.readBy.empty()) {
                stage.readBy.assign(std::size_t(total), -1);
                stage.life[0] = { -1, -1 };
            }
            if (action.kind == ActionKind::Update) {
                if (action.version != stage.newest + 1)
                    find("update",
                        fmt::format("{} makes version {}, and the newest is {}", toText(action),
                            action.version, stage.newest),
                        place);
                stage.newest = std::max(stage.newest, action.version);
                stage.life[action.version] = { int(i), int(i) };
                continue;
            }
            if (!isCompute(action.kind))
                continue;
            if (action.version > stage.newest)
                find("version",
                    fmt::format("{} reads version {}, which is not made yet (newest {})",
                        toText(action), action.version, stage.newest),
                    place);
            if (schedule.versionRule != VersionRule::Stash
                && action.version != expectedVersion(schedule, schedule.batchOf(action)))
                find("version",
                    fmt::format("{} reads version {}, and the rule gives {}", toText(action),
                        action.version, expectedVersion(schedule, schedule.batchOf(action))),
                    place);
            int& read = stage.readBy[std::size_t(action.microbatch)];
            if (action.kind == ActionKind::Forward)
                read = action.version;
            else if (read != action.version)
                find("version",
                    fmt::format("{} reads version {}, and its forward read {}", toText(action),
                        action.version, read),
                    place);
            auto& life = stage.life[action.version];
            life.second = std::max(life.second, int(i));
        }
    if (!hasVersions)
        return; // an order alone, as CSV files have it
    const int allowed = options.maxVersions > 0         ? options.maxVersions
        : schedule.versionRule == VersionRule::Flush    ? 1
        : schedule.versionRule == VersionRule::DelayOne ? 2
                                                        : 0;
    for (int s = 0; s < schedule.stages; ++s) {
        // +1 when made, -1 after the last reader; the newest of the run never dies.
        std::vector<std::pair<int, int>> events;
        const StageVersions& stage = stages[std::size_t(s)];
        for (const auto& [version, life] : stage.life) {
            events.push_back({ 2 * life.first + 1, 1 });
            if (version == stage.newest)
                continue;
            const auto next = stage.life.upper_bound(version);
            events.push_back({ std::max(2 * life.second + 1, 2 * next->second.first + 1), -1 });
        }
        std::sort(events.begin(), events.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first < b.first : a.second < b.second;
        });
        int now = 0;
        for (const auto& [at, change] : events) {
            now += change;
            proof.peakVersions[std::size_t(s)] = std::max(proof.peakVersions[std::size_t(s)], now);
            if (allowed > 0 && now > allowed && change > 0) {
                const int worker = schedule.workerOfStage[std::size_t(s)];
                find("two-versions",
                    fmt::format("stage {} needs {} weight versions at once, and {} is allowed; "
                                "more microbatches a batch than stages are needed",
                        s, now, allowed),
                    { worker, at / 2 });
                break;
            }
        }
    }
}

} // namespace stageloom
