// SPDX-License-Identifier: Apache-2.0
#include "core/plan/planner.h"

#include "core/base/text.h"
#include "core/plan/explain.h"
#include "core/plan/planners/pipeline_search.h"
#include "core/plan/planners/refine.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>

namespace stageloom {

namespace {

using planners::Candidate;
using planners::Search;

// Plans that are predicted beside those shown, so that ties are seen.
constexpr std::size_t kSpare = 3;

std::string widthsOf(const PlannerRequest& request)
{
    std::string widths;
    for (std::size_t w = 1; w <= request.topology.devices.size(); ++w)
        if (request.batchSize % std::int64_t(w) == 0)
            widths += fmt::format("{}{}", widths.empty() ? "" : ", ", w);
    return widths;
}

bool isCancelled(const PlannerRequest& request)
{
    return request.cancelled && request.cancelled();
}

tl::unexpected<Error> searchCancelled()
{
    return fail(ErrorKind::Cancelled, "the search for plans was stopped; nothing is changed");
}

// What is fixed must go with the batch, the devices and the model.
Status checkFixed(const PlannerRequest& r)
{
    const auto devices = std::int64_t(r.topology.devices.size());
    const auto layers = std::int64_t(r.model.layers.size());
    const struct {
        const char* what;
        std::int64_t value;
    } numbers[] { { "a width", r.width }, { "a number of stages", r.stages },
        { "a microbatch size", r.microbatchSize }, { "a number of microbatches", r.microbatches } };
    for (const auto& number : numbers)
        if (number.value < 0)
            return fail(ErrorKind::Invalid,
                "{} of {} is not possible: give 1 or more, or 0 for any", number.what,
                number.value);
    if (r.width > devices || (r.width > 0 && r.batchSize % r.width != 0))
        return fail(ErrorKind::Infeasible,
            "{} replicas of each stage do not go with {} devices and a batch of {} samples: "
            "possible widths are {}",
            r.width, devices, r.batchSize, widthsOf(r));
    if (r.stages > layers)
        return fail(ErrorKind::Infeasible,
            "{} stages are more than the {} layers of {}: each has at least one", r.stages, layers,
            r.model.name);
    if (std::int64_t(r.stages) * std::max(1, r.width) > devices)
        return fail(ErrorKind::Infeasible, "{} need {} devices, and {} are there",
            layoutText(r.stages, std::max(1, r.width)), r.stages * std::max(1, r.width), devices);
    const std::int64_t b = std::max(1, r.microbatchSize), m = std::max(1, r.microbatches),
                       w = std::max(1, r.width);
    const bool all = r.microbatchSize > 0 && r.microbatches > 0 && r.width > 0;
    if (r.batchSize % (b * m * w) != 0 || (all && r.batchSize != b * m * w))
        return fail(ErrorKind::Infeasible,
            "a batch of {} samples is not microbatch size × microbatches × width = {} × {} × {}: "
            "leave one of them open, or make the batch {}",
            r.batchSize, r.microbatchSize > 0 ? std::to_string(b) : "any",
            r.microbatches > 0 ? std::to_string(m) : "any", r.width > 0 ? std::to_string(w) : "any",
            all ? b * m * w : std::max<std::int64_t>(1, r.batchSize / (b * m * w)) * b * m * w);
    return {};
}

// Times that no batch has would be infinite somewhere below, and the fault then looked for in
// memory.
Status checkTimes(const PlannerRequest& request)
{
    constexpr double kLongestBatch = 3e11; // seconds, ten thousand years
    if (!request.profile)
        return {};
    double sample = request.profile->hop, update = 0;
    for (const LayerTime& layer : request.profile->layers)
        sample += layer.forward + layer.backward + layer.recompute;
    for (const Layer& layer : request.model.layers)
        update += double(layer.parameters) * request.profile->updatePerParameter;
    const double batch = sample * double(request.batchSize) + update;
    if (batch <= kLongestBatch)
        return {};
    return fail(ErrorKind::Invalid,
        "by the profile's times a batch of {} samples takes {:.2g} s one layer after another, more "
        "than ten thousand years: the profile is damaged or its \"unit\" is not that of its times",
        request.batchSize, batch);
}

Status checkRequest(const PlannerRequest& request)
{
    const std::vector<std::string> names { "auto", "2bw" };
    if (std::find(names.begin(), names.end(), request.planner) == names.end()) {
        const std::string near = nearest(request.planner, names);
        return fail(ErrorKind::Invalid, "there is no planner '{}'{}; there are {}", request.planner,
            near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), joined(names, ", "));
    }
    if (request.batchSize < 1 || request.batchSize > 100'000'000)
        return fail(ErrorKind::Invalid,
            "a batch size of {} samples cannot be planned; give 1 to 100,000,000",
            request.batchSize);
    if (request.top < 1)
        return fail(ErrorKind::Invalid, "at least one plan is to be shown, not {}", request.top);
    if (request.model.layers.empty() || request.topology.devices.empty())
        return fail(ErrorKind::Invalid, "a plan needs a model with layers and at least one device");
    if (request.schedules.empty())
        return fail(ErrorKind::Invalid, "at least one schedule is needed; there are {}",
            joined(scheduleNames(), ", "));
    for (const std::string& name : request.schedules)
        if (const auto schedule = availableSchedule(name); !schedule)
            return failure(schedule);
    if (request.profile && request.profile->layers.size() != request.model.layers.size())
        return fail(ErrorKind::Invalid,
            "the profile has times for {} layers and {} has {}; profile this model",
            request.profile->layers.size(), request.model.name, request.model.layers.size());
    if (const Status times = checkTimes(request); !times)
        return times;
    return checkFixed(request);
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

struct Offer {
    std::string schedule;
    Candidate candidate;
};

// The fastest first; of those that are equally fast the one whose fullest device holds the least.
void order(std::vector<RankedPlan>& plans)
{
    std::stable_sort(plans.begin(), plans.end(), [](const auto& a, const auto& b) {
        return a.prediction.samplesPerSecond > b.prediction.samplesPerSecond;
    });
    for (auto first = plans.begin(); first != plans.end(); ++first) {
        const double slowest = first->prediction.samplesPerSecond / (1 + kEqualSpeed);
        auto least = first;
        for (auto at = first; at != plans.end() && at->prediction.samplesPerSecond >= slowest; ++at)
            if (at->prediction.peakMemory < least->prediction.peakMemory)
                least = at;
        std::rotate(first, least, least + 1);
    }
}

// Cuts `plans` to the request's number, but for each schedule's best.
void keepTop(const PlannerRequest& request, std::vector<RankedPlan>& plans)
{
    std::vector<std::string> seen;
    std::size_t kept = 0;
    std::erase_if(plans, [&](const RankedPlan& ranked) {
        const std::string& name = ranked.plan.schedule;
        const bool first = std::find(seen.begin(), seen.end(), name) == seen.end();
        if (first)
            seen.push_back(name);
        return ++kept > std::size_t(request.top) && !first;
    });
}

// The search simulated the shapes that can win; the prediction has their memory, too.
Status rank(const PlannerRequest& request, std::vector<Offer>& offers, PlannerAnswer& answer)
{
    std::stable_sort(offers.begin(), offers.end(),
        [](const Offer& a, const Offer& b) { return a.candidate.rate > b.candidate.rate; });
    std::map<std::string, std::size_t> perSchedule;
    for (std::size_t i = 0; i < offers.size(); ++i) {
        const std::size_t earlier = perSchedule[offers[i].schedule]++;
        if (i >= std::size_t(request.top) + kSpare && earlier >= kSpare)
            continue;
        if (isCancelled(request))
            return searchCancelled();
        Plan plan = planOf(request, offers[i].schedule, offers[i].candidate);
        auto prediction = predict(plan, request.model, planners::kSimulatedBatches);
        if (!prediction)
            return failure(prediction);
        answer.plans.push_back({ std::move(plan), std::move(*prediction), {} });
    }
    order(answer.plans);
    keepTop(request, answer.plans);
    for (std::size_t i = 0; i < answer.plans.size(); ++i)
        answer.plans[i].why = explain(answer.plans[i], i == 0 ? nullptr : &answer.plans[0],
            i == 0 && answer.plans.size() > 1 ? &answer.plans[1] : nullptr);
    return {};
}

tl::unexpected<Error> nothingFits(
    const PlannerRequest& request, const std::vector<std::pair<std::string, Search>>& searches)
{
    const std::pair<std::string, Search>* closest = nullptr;
    const RejectedPlan* first = nullptr;
    for (const auto& each : searches) {
        const Search& search = each.second;
        if (search.closest
            && (!closest
                || search.closest->partition.excess < closest->second.closest->partition.excess))
            closest = &each;
        if (!first && !search.rejected.empty())
            first = &search.rejected.front();
    }
    if (closest)
        return fail(ErrorKind::Infeasible,
            "no plan of {} fits {}: the closest, {}, fails because {}; {}", request.model.name,
            request.topology.title,
            planners::shapeText(closest->first, closest->second.closest->shape),
            closest->second.closestText,
            closest->second.tooManyMicrobatches
                ? fmt::format("lower the batch size of {}: its smaller microbatches would be more "
                              "than are simulated",
                    request.batchSize)
                : closest->second.closestHelp);
    return fail(ErrorKind::Infeasible, "no plan of {} for a batch of {} samples on {} devices: {}",
        request.model.name, request.batchSize, request.topology.devices.size(),
        first ? first->reason
              : "what is fixed leaves no shape; possible widths are " + widthsOf(request));
}

} // namespace

Result<PlannerAnswer> makePlans(const PlannerRequest& request)
{
    const auto begin = std::chrono::steady_clock::now();
    if (const Status status = checkRequest(request); !status)
        return failure(status);
    PlannerAnswer answer;
    answer.planner = request.planner == "auto" ? "2bw" : request.planner;
    std::vector<std::pair<std::string, Search>> searches;
    const auto search = [&](const std::string& schedule) {
        searches.emplace_back(
            schedule, planners::searchPipelines(request, *findSchedule(schedule)));
    };
    for (const std::string& schedule : request.schedules) {
        if (isCancelled(request))
            return searchCancelled();
        search(schedule);
    }
    // Too few microbatches for a pipeline over all devices: a flush needs fewer.
    const bool flushToo = request.planner == "auto" && request.schedules.size() == 1
        && request.schedules[0] != kFlushSchedule && searches[0].second.allDevicesTooShallow;
    if (flushToo)
        search(kFlushSchedule);
    if (isCancelled(request)) // what was found until then says nothing of the rest
        return searchCancelled();
    std::vector<Offer> offers;
    for (auto& [schedule, found] : searches) {
        answer.considered += found.considered;
        for (Candidate& candidate : found.found)
            offers.push_back({ schedule, std::move(candidate) });
    }
    if (offers.empty())
        return nothingFits(request, searches);
    if (const Status status = rank(request, offers, answer); !status)
        return failure(status);
    for (auto& [schedule, found] : searches)
        std::move(
            found.rejected.begin(), found.rejected.end(), std::back_inserter(answer.rejected));
    if (flushToo && answer.plans.front().plan.schedule == kFlushSchedule)
        answer.plans.front().why += fmt::format(
            " No {} plan over all devices has m ≥ d for a batch of {}, so this is {}.",
            request.schedules[0], request.batchSize, kFlushSchedule);
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
            { "bubble_fraction", p.metrics.bubbleFraction },
            { "steady_bubble_fraction",
                p.metrics.steadyBubbleFraction ? Json(*p.metrics.steadyBubbleFraction) : Json() },
            { "peak_memory_bytes", p.peakMemory },
            { "process_memory_bytes", p.processMemory > 0 ? Json(p.processMemory) : Json() },
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
