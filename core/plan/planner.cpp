// SPDX-License-Identifier: Apache-2.0
#include "core/plan/planner.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/plan/explain.h"
#include "core/plan/planners/two_bw.h"
#include "core/schedule/registry.h"

#include <algorithm>
#include <chrono>

namespace stageloom {

namespace {

using planners::Candidate;
using planners::Search;

Status checkRequest(const PlannerRequest& request)
{
    const std::vector<std::string> names { "auto", "2bw", "pipedream" };
    if (std::find(names.begin(), names.end(), request.planner) == names.end()) {
        const std::string near = nearest(request.planner, names);
        return fail(ErrorKind::Invalid, "there is no planner '{}'{}; there are {}", request.planner,
            near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), joined(names, ", "));
    }
    if (request.planner == "pipedream")
        return fail(ErrorKind::Unsupported,
            "the planner 'pipedream' is not in this version; take --planner 2bw");
    if (request.batchSize < 1 || request.batchSize > 100'000'000)
        return fail(ErrorKind::Invalid,
            "a batch of {} samples cannot be planned; give 1 to 100,000,000", request.batchSize);
    if (request.top < 1)
        return fail(ErrorKind::Invalid, "at least one plan is to be shown, not {}", request.top);
    if (request.model.layers.empty() || request.topology.devices.empty())
        return fail(ErrorKind::Invalid, "a plan needs a model with layers and at least one device");
    // A wrong schedule name has one message, the registry's own.
    const auto schedule = availableSchedule(request.schedule);
    if (!schedule)
        return failure(schedule);
    if ((*schedule)->versionRule == VersionRule::Stash)
        return fail(ErrorKind::Unsupported,
            "the planner has no cost of weight stashing; plan 2bw, 1f1b or gpipe");
    if (request.profile && request.profile->layers.size() != request.model.layers.size())
        return fail(ErrorKind::Invalid,
            "the profile has times for {} layers and {} has {}; profile this model",
            request.profile->layers.size(), request.model.name, request.model.layers.size());
    return {};
}

Plan planOf(const PlannerRequest& request, const std::string& schedule, const Candidate& candidate)
{
    Plan plan;
    plan.name = fmt::format("{} on {}", request.model.name,
        request.topology.title.empty() ? request.topology.name : request.topology.title);
    plan.modelSource = request.modelSource;
    plan.modelConfig = request.model.config;
    plan.topologySource = request.topology.name;
    plan.topology = request.topology;
    plan.seq = request.model.seq;
    plan.dtype = request.model.dtype;
    plan.schedule = schedule;
    plan.microbatchSize = candidate.shape.microbatchSize;
    plan.microbatches = candidate.shape.microbatches;
    plan.stages = candidate.partition.stages;
    plan.optimizer = request.optimizer;
    plan.profile = request.profile;
    return plan;
}

// The closed cost ranks all; the simulator, which sees warm-up and every wait, ranks the first few.
Status rank(const PlannerRequest& request, const std::string& schedule, const Search& search,
    PlannerAnswer& answer)
{
    const std::size_t count = std::min(search.found.size(), std::size_t(request.top) + 2);
    for (std::size_t i = 0; i < count; ++i) {
        Plan plan = planOf(request, schedule, search.found[i]);
        auto prediction = predict(plan, request.model, 4);
        if (!prediction)
            return failure(prediction);
        answer.plans.push_back({ std::move(plan), std::move(*prediction), {} });
    }
    std::stable_sort(answer.plans.begin(), answer.plans.end(), [](const auto& a, const auto& b) {
        return a.prediction.samplesPerSecond
            > b.prediction.samplesPerSecond * (1 + 1e-9); // equal: the closed cost's order
    });
    if (answer.plans.size() > std::size_t(request.top))
        answer.plans.erase(answer.plans.begin() + request.top, answer.plans.end());
    for (std::size_t i = 0; i < answer.plans.size(); ++i)
        answer.plans[i].why = explain(answer.plans[i], i == 0 ? nullptr : &answer.plans[0],
            i == 0 && answer.plans.size() > 1 ? &answer.plans[1] : nullptr);
    return {};
}

tl::unexpected<Error> nothingFits(const PlannerRequest& request, const Search& search)
{
    if (search.closest)
        return fail(ErrorKind::Infeasible,
            "no plan of {} fits {}: the closest, {}, fails because {}; lower the batch or the "
            "sequence length, or add devices",
            request.model.name, request.topology.title,
            planners::shapeText(request.schedule, search.closest->shape), search.closestText);
    return fail(ErrorKind::Infeasible, "no plan of {} for a batch of {} samples on {} devices: {}",
        request.model.name, request.batchSize, request.topology.devices.size(),
        search.rejected.empty() ? "nothing was to be tried" : search.rejected.front().reason);
}

} // namespace

Result<PlannerAnswer> makePlans(const PlannerRequest& request)
{
    const auto begin = std::chrono::steady_clock::now();
    if (const Status status = checkRequest(request); !status)
        return failure(status);
    PlannerAnswer answer;
    answer.planner = "2bw";
    std::string schedule = request.schedule;
    Search search = planners::searchTwoBw(request, *findSchedule(schedule));
    std::string note;
    if (search.found.empty() && schedule != kFlushSchedule && request.planner == "auto"
        && search.onlyTooShallow) {
        note = fmt::format(" No {} plan has m ≥ d for a batch of {}, so this is {}.", schedule,
            request.batchSize, kFlushSchedule);
        schedule = kFlushSchedule;
        Search second = planners::searchTwoBw(request, *findSchedule(schedule));
        second.considered += search.considered;
        second.rejected.insert(
            second.rejected.begin(), search.rejected.begin(), search.rejected.end());
        search = std::move(second);
    }
    if (search.found.empty())
        return nothingFits(request, search);
    answer.considered = search.considered;
    if (const Status status = rank(request, schedule, search, answer); !status)
        return failure(status);
    answer.rejected = std::move(search.rejected);
    answer.plans.front().why += note;
    answer.seconds
        = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return answer;
}

Json toJson(const PlannerAnswer& answer)
{
    Json plans = Json::array();
    for (const RankedPlan& ranked : answer.plans) {
        const Plan& plan = ranked.plan;
        const Prediction& p = ranked.prediction;
        Json stages = Json::array();
        for (std::size_t s = 0; s < plan.stages.size(); ++s) {
            const StageTimes& t = p.stages[s].times;
            stages.push_back(Json { { "first_layer", plan.stages[s].firstLayer },
                { "last_layer", plan.stages[s].lastLayer }, { "devices", plan.stages[s].devices },
                { "recompute", plan.stages[s].recompute },
                { "memory_bytes", p.stages[s].memory.total() },
                { "time", t.forward + t.backward + t.recompute } });
        }
        Json notes = Json::array();
        for (const PlanFinding& finding : p.findings)
            notes.push_back(finding.message);
        plans.push_back(Json { { "stages", std::move(stages) }, { "width", plan.width() },
            { "depth", plan.depth() }, { "microbatch_size", plan.microbatchSize },
            { "microbatches", plan.microbatches }, { "schedule", plan.schedule },
            { "step_time", p.stepTime }, { "samples_per_second", p.samplesPerSecond },
            { "tokens_per_second", p.tokensPerSecond },
            { "bubble_fraction", p.metrics.bubbleFraction }, { "peak_memory_bytes", p.peakMemory },
            { "measured_times", p.measuredTimes }, { "why", ranked.why },
            { "notes", std::move(notes) } });
    }
    Json rejected = Json::array();
    for (const RejectedPlan& r : answer.rejected)
        rejected.push_back(Json { { "plan", r.plan }, { "reason", r.reason } });
    return Json { { "plans", std::move(plans) }, { "rejected", std::move(rejected) },
        { "planner", answer.planner }, { "considered", answer.considered },
        { "seconds", answer.seconds } };
}

} // namespace stageloom
