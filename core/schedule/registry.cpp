// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/registry.h"

#include "core/base/text.h"
#include "core/schedule/generators/generators.h"
#include "core/schedule/passes/passes.h"

#include <algorithm>

namespace stageloom {

namespace {

// One list action is 16 bytes; beyond this a run is to be cut into parts.
constexpr std::int64_t kMostActions = 100'000'000;

int depthItself(int depth)
{
    return depth;
}

Status checkNumbers(const ScheduleRequest& request)
{
    if (request.depth < 1 || request.microbatches < 1 || request.batches < 1)
        return fail(ErrorKind::Invalid,
            "a schedule needs at least 1 stage, 1 microbatch and 1 batch, and was asked for {}, {} "
            "and {}",
            request.depth, request.microbatches, request.batches);
    if (!request.recompute.empty() && int(request.recompute.size()) != request.depth)
        return fail(ErrorKind::Invalid, "recompute is given for {} stages, and there are {}",
            request.recompute.size(), request.depth);
    if (request.batches > kMostActions / actionsABatch(request))
        return fail(ErrorKind::Invalid,
            "{} batches of {} microbatches on {} stages are more than {} actions; ask for fewer "
            "batches",
            request.batches, request.microbatches, request.depth, kMostActions);
    return {};
}

} // namespace

const std::vector<ScheduleInfo>& scheduleInfos()
{
    static const std::vector<ScheduleInfo> kInfos {
        { .name = "2bw",
            .title = "PipeDream-2BW",
            .summary
            = "No flush, two weight buffers; every gradient is one batch old. Needs m ≥ d.",
            .versionRule = VersionRule::DelayOne,
            .delayBatches = 1,
            .flushes = false,
            .leastMicrobatches = depthItself,
            .generate = generators::twoBw },
        { .name = "1f1b",
            .title = "1F1B with flush",
            .summary = "One forward, one backward; the pipeline drains before every update.",
            .generate = generators::oneForwardOneBackward },
        { .name = "gpipe",
            .title = "GPipe",
            .summary = "All forwards, then all backwards; keeps every microbatch's activations.",
            .generate = generators::gpipe },
        { .name = "pipedream",
            .title = "PipeDream",
            .summary = "An update a microbatch, with weight stashing; the delay differs by stage.",
            .versionRule = VersionRule::Stash,
            .delayBatches = -1,
            .flushes = false,
            .generate = generators::pipedream },
        { .name = "eager-1f1b",
            .title = "Eager 1F1B",
            .summary = "1F1B with twice the warm-up, to hide transfers." },
        { .name = "interleaved",
            .title = "Interleaved 1F1B",
            .summary = "Several chunks a device; smaller bubbles, more transfers." },
        { .name = "looped-bfs",
            .title = "Looped BFS",
            .summary = "Breadth-first over chunks; hides transfers." },
        { .name = "2bw-interleaved",
            .title = "Interleaved 2BW",
            .summary = "2BW over several chunks a device.",
            .versionRule = VersionRule::DelayOne,
            .delayBatches = 1,
            .flushes = false },
        { .name = "zb-h1",
            .title = "ZB-H1",
            .summary = "Split backward at 1F1B's memory.",
            .splitsBackward = true },
        { .name = "zb-h2",
            .title = "ZB-H2",
            .summary = "Split backward, no bubble, twice the activations.",
            .splitsBackward = true },
        { .name = "zb-v",
            .title = "ZB-V",
            .summary = "Split backward on V-shaped chunks.",
            .splitsBackward = true },
        { .name = "zb-auto",
            .title = "ZB automatic",
            .summary = "Split backward ordered by measured times.",
            .splitsBackward = true },
        { .name = "v-half",
            .title = "V-Half",
            .summary = "V-shaped chunks at half the activations.",
            .splitsBackward = true },
        { .name = "v-min",
            .title = "V-Min",
            .summary = "V-shaped chunks at a third of the activations.",
            .splitsBackward = true },
        { .name = "dualpipe-v",
            .title = "DualPipeV",
            .summary = "V-shaped chunks with paired forward and backward.",
            .splitsBackward = true },
        { .name = "roundpipe",
            .title = "RoundPipe",
            .summary = "Layers travel to devices in rounds." },
        { .name = "rrfp", .title = "RRFP", .summary = "Order decided by readiness at run time." },
        { .name = "rrfp-bfw",
            .title = "RRFP with split backward",
            .summary = "Readiness order with weight gradients as filler.",
            .splitsBackward = true },
    };
    return kInfos;
}

const ScheduleInfo* findSchedule(const std::string& name)
{
    const auto& infos = scheduleInfos();
    const auto found = std::find_if(
        infos.begin(), infos.end(), [&](const ScheduleInfo& info) { return info.name == name; });
    return found == infos.end() ? nullptr : &*found;
}

bool fillsEachBatch(const std::string& name)
{
    const ScheduleInfo* info = findSchedule(name);
    return info != nullptr && info->flushes;
}

std::vector<std::string> scheduleNames()
{
    std::vector<std::string> names;
    for (const ScheduleInfo& known : scheduleInfos())
        if (known.available())
            names.push_back(known.name);
    return names;
}

Result<const ScheduleInfo*> availableSchedule(const std::string& name)
{
    const ScheduleInfo* info = findSchedule(name);
    const std::vector<std::string> names = scheduleNames();
    if (!info) {
        const std::string near = nearest(name, names);
        return fail(ErrorKind::Invalid, "there is no schedule '{}'{}; there are {}", name,
            near.empty() ? "" : " (did you mean '" + near + "'?)", joined(names, ", "));
    }
    if (!info->available())
        return fail(ErrorKind::Unsupported,
            "the schedule '{}' is not in this version; there are {}", name, joined(names, ", "));
    return info;
}

std::int64_t actionsABatch(const ScheduleRequest& request)
{
    // Of one microbatch on all stages: F and B or its halves, R, and over each border a send and a
    // receive each way; where every microbatch has an update, ALLREDUCE and U.
    const auto recomputes = std::count(request.recompute.begin(), request.recompute.end(), true);
    const ScheduleInfo* info = findSchedule(request.name);
    const std::int64_t aStage = 2 + (info && info->splitsBackward ? 1 : 0)
        + (info && info->versionRule == VersionRule::Stash ? 2 : 0);
    const std::int64_t aMicrobatch
        = aStage * request.depth + recomputes + 4 * (request.depth - std::int64_t(1));
    return aMicrobatch * request.microbatches + 2 * std::int64_t(request.depth);
}

Status checkMicrobatches(const ScheduleInfo& info, const ScheduleRequest& request)
{
    const int least = info.leastMicrobatches(request.depth);
    if (request.microbatches >= least)
        return {};
    return fail(ErrorKind::Infeasible,
        "{} needs at least {} microbatches a batch with d = {} stages, and m = {} is fewer; the "
        "smallest batch is b·w·m = {}·{}·{} = {} samples: raise the batch, or take {}",
        info.name, least, request.depth, request.microbatches, request.microbatchSize,
        request.width, least, std::int64_t(request.microbatchSize) * request.width * least,
        kFlushSchedule);
}

Result<Schedule> makeSchedule(const ScheduleRequest& request)
{
    const auto info = availableSchedule(request.name);
    if (!info)
        return failure(info);
    if (const Status status = checkNumbers(request); !status)
        return failure(status);
    if (const Status status = checkMicrobatches(**info, request); !status)
        return failure(status);
    Schedule schedule = (*info)->generate(request.depth, request.microbatches, request.batches);
    schedule.name = (*info)->name;
    schedule.versionRule = (*info)->versionRule;
    passes::assignVersions(schedule);
    if (std::find(request.recompute.begin(), request.recompute.end(), true)
        != request.recompute.end())
        passes::addRecompute(schedule, request.recompute);
    if (request.crossStageUpdate)
        passes::deferUpdates(schedule);
    passes::addTransfers(schedule);
    return schedule;
}

} // namespace stageloom
