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
    if (std::int64_t(request.depth) * request.microbatches * request.batches * 3 > kMostActions)
        return fail(ErrorKind::Invalid,
            "{} batches of {} microbatches on {} stages are more than {} actions; ask for fewer "
            "batches",
            request.batches, request.microbatches, request.depth, kMostActions);
    if (request.name == "2bw" && request.microbatches < request.depth)
        return fail(ErrorKind::Infeasible,
            "2bw needs at least as many microbatches as stages: m = {} is below d = {}; the "
            "smallest batch is b·w·d = {}·{}·{} = {} samples (or use 1f1b)",
            request.microbatches, request.depth, request.microbatchSize, request.width,
            request.depth, std::int64_t(request.microbatchSize) * request.width * request.depth);
    return {};
}

Schedule generate(const ScheduleRequest& r)
{
    if (r.name == "gpipe")
        return generators::gpipe(r.depth, r.microbatches, r.batches);
    if (r.name == "1f1b")
        return generators::oneForwardOneBackward(r.depth, r.microbatches, r.batches);
    if (r.name == "pipedream")
        return generators::pipedream(r.depth, r.microbatches, r.batches);
    return generators::twoBw(r.depth, r.microbatches, r.batches);
}

} // namespace

const std::vector<ScheduleInfo>& scheduleInfos()
{
    static const std::vector<ScheduleInfo> kInfos {
        { "2bw", "PipeDream-2BW",
            "No flush, two weight buffers; every gradient is one batch old. Needs m ≥ d.",
            VersionRule::DelayOne, true, 1 },
        { "1f1b", "1F1B with flush",
            "One forward, one backward; the pipeline drains before every update.",
            VersionRule::Flush, true, 0 },
        { "gpipe", "GPipe",
            "All forwards, then all backwards; keeps every microbatch's activations.",
            VersionRule::Flush, true, 0 },
        { "pipedream", "PipeDream",
            "An update a microbatch, with weight stashing; the delay differs by stage.",
            VersionRule::Stash, true, -1 },
        { "eager-1f1b", "Eager 1F1B", "1F1B with twice the warm-up, to hide transfers.",
            VersionRule::Flush, false, 0 },
        { "interleaved", "Interleaved 1F1B",
            "Several chunks a device; smaller bubbles, more transfers.", VersionRule::Flush, false,
            0 },
        { "looped-bfs", "Looped BFS", "Breadth-first over chunks; hides transfers.",
            VersionRule::Flush, false, 0 },
        { "2bw-interleaved", "Interleaved 2BW", "2BW over several chunks a device.",
            VersionRule::DelayOne, false, 1 },
        { "zb-h1", "ZB-H1", "Split backward at 1F1B's memory.", VersionRule::Flush, false, 0 },
        { "zb-h2", "ZB-H2", "Split backward, no bubble, twice the activations.", VersionRule::Flush,
            false, 0 },
        { "zb-v", "ZB-V", "Split backward on V-shaped chunks.", VersionRule::Flush, false, 0 },
        { "zb-auto", "ZB automatic", "Split backward ordered by measured times.",
            VersionRule::Flush, false, 0 },
        { "v-half", "V-Half", "V-shaped chunks at half the activations.", VersionRule::Flush, false,
            0 },
        { "v-min", "V-Min", "V-shaped chunks at a third of the activations.", VersionRule::Flush,
            false, 0 },
        { "dualpipe-v", "DualPipeV", "V-shaped chunks with paired forward and backward.",
            VersionRule::Flush, false, 0 },
        { "roundpipe", "RoundPipe", "Layers travel to devices in rounds.", VersionRule::Flush,
            false, 0 },
        { "rrfp", "RRFP", "Order decided by readiness at run time.", VersionRule::Flush, false, 0 },
        { "rrfp-bfw", "RRFP with split backward",
            "Readiness order with weight gradients as filler.", VersionRule::Flush, false, 0 },
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

Result<Schedule> makeSchedule(const ScheduleRequest& request)
{
    const ScheduleInfo* info = findSchedule(request.name);
    std::vector<std::string> names;
    for (const ScheduleInfo& known : scheduleInfos())
        if (known.available)
            names.push_back(known.name);
    if (!info) {
        const std::string near = nearest(request.name, names);
        return fail(ErrorKind::Invalid, "there is no schedule '{}'{}; there are {}", request.name,
            near.empty() ? "" : " (did you mean '" + near + "'?)", joined(names, ", "));
    }
    if (!info->available)
        return fail(ErrorKind::Unsupported,
            "the schedule '{}' is not in this version; there are {}", request.name,
            joined(names, ", "));
    if (const Status status = checkNumbers(request); !status)
        return failure(status);
    Schedule schedule = generate(request);
    passes::assignVersions(schedule);
    if (std::find(request.recompute.begin(), request.recompute.end(), true)
        != request.recompute.end())
        passes::addRecompute(schedule, request.recompute);
    if (request.crossStageUpdate)
        passes::deferUpdates(schedule);
    return schedule;
}

} // namespace stageloom
