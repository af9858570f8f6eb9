// SPDX-License-Identifier: Apache-2.0
// Every shape of one schedule (2bw.md §3, on unequal layers). Decisions where the paper leaves
// room: rates are those of the simulator on the schedule's own list; replicas may fill a whole
// server (the slowest link of the group is measured); recompute is decided stage by stage; devices
// may stay idle.
//
// Three passes, so that few lists are simulated: a cut by the busiest stage for every shape, one
// simulation for those whose bound can still win, moves of borders for those near the best.
#include "core/plan/planners/pipeline_search.h"

#include "core/plan/advice.h"
#include "core/plan/explain.h"
#include "core/plan/plan_schedule.h"
#include "core/plan/planners/refine.h"

#include <algorithm>
#include <map>
#include <memory>

namespace stageloom::planners {

namespace {

// Rates this close are equal: sums in another order must not decide.
constexpr double kTie = 1e-9;
// Moving borders gains less than this over the cut by the busiest stage: shapes further behind are
// not refined.
constexpr double kMostGain = 0.15;
// Actions of one list, and of all simulations that refine one shape.
constexpr std::int64_t kMostListActions = 400'000, kRefineActions = 450'000;

std::vector<std::int64_t> divisors(std::int64_t n)
{
    std::vector<std::int64_t> all;
    for (std::int64_t i = 1; i * i <= n; ++i)
        if (n % i == 0) {
            all.push_back(i);
            if (i != n / i)
                all.push_back(n / i);
        }
    std::sort(all.begin(), all.end());
    return all;
}

bool better(const Candidate& a, const Candidate& b)
{
    if (std::abs(a.rate - b.rate) > kTie * std::max(a.rate, b.rate))
        return a.rate > b.rate;
    if (a.shape.width != b.shape.width)
        return a.shape.width < b.shape.width;
    return a.shape.microbatchSize < b.shape.microbatchSize;
}

struct Over {
    double need = 0; // bytes
    std::string reason, help;
};

// The stage that is the most bytes over, as a refusal, and what helps it.
Over whereOver(const StageCosts& costs, const Partition& partition)
{
    int worst = 0;
    double most = 0;
    StageMemory memory;
    for (std::size_t s = 0; s < partition.stages.size(); ++s) {
        const PlanStage& stage = partition.stages[s];
        const auto need = costs.memory(int(s), stage.firstLayer, stage.lastLayer, stage.recompute);
        const double over = need.total() - costs.capacity(int(s));
        if (costs.capacity(int(s)) <= 0 || (memory.total() > 0 && over <= most))
            continue;
        worst = int(s);
        most = over;
        memory = need;
    }
    const int device = partition.stages[std::size_t(worst)].devices[0];
    return { memory.total(), memoryRefusal(costs.plan().topology, worst, device, memory),
        smallestPlanHelp(costs.plan(), memory, costs.capacity(worst)) };
}

// What the list of a shape is asked for by. Clipping couples stages, and so does a tied head, which
// always lies on another stage than the embedding where there are two.
ScheduleRequest listRequest(
    const PlannerRequest& request, const ScheduleInfo& info, const PlanShape& shape)
{
    const auto& layers = request.model.layers;
    const bool tied = std::any_of(
        layers.begin(), layers.end(), [](const Layer& layer) { return !layer.tiedTo.empty(); });
    ScheduleRequest list;
    list.name = info.name;
    list.depth = shape.depth;
    list.microbatches = shape.microbatches;
    list.microbatchSize = shape.microbatchSize;
    list.width = shape.width;
    list.crossStageUpdate
        = reducesUpdates(info, shape.depth, tied || request.optimizer.clipNorm > 0);
    return list;
}

// A shape with a cut that fits.
struct Shape {
    ScheduleRequest list;
    std::unique_ptr<StageCosts> costs;
    Candidate candidate;
    double mostRate = 0; // samples/s that no cut of it exceeds
    bool simulated = false, refined = false;
};

struct Layout {
    int width = 1, depth = 1;
    [[nodiscard]] int devices() const { return width * depth; }
};

class PipelineSearch {
public:
    PipelineSearch(const PlannerRequest& request, const ScheduleInfo& schedule)
        : m_request(request)
        , m_schedule(schedule)
        , m_layers(int(request.model.layers.size()))
    {
    }

    Search run()
    {
        const std::vector<Layout> layouts = possibleLayouts();
        const int most = layouts.empty() ? 0 : layouts.front().devices();
        for (const Layout& layout : layouts)
            if (layout.devices() == most && !cancelled())
                tryLayout(layout, 0);
        if (m_shapes.empty() && !layouts.empty())
            m_search.allDevicesTooShallow = m_search.onlyTooShallow;
        simulateThoseThatCanWin();
        // Fewer stages as a rule are slower: a width is given up after two that cannot win.
        std::map<int, int> inVain;
        for (const Layout& layout : layouts) {
            int& misses = inVain[layout.width];
            if (layout.devices() < most && misses < 2 && !cancelled())
                misses += tryLayout(layout, m_bestRate) <= m_bestRate && m_bestRate > 0;
        }
        simulateThoseThatCanWin();
        refineThoseNearTheBest();
        for (Shape& shape : m_shapes)
            if (shape.simulated)
                m_search.found.push_back(std::move(shape.candidate));
        std::stable_sort(m_search.found.begin(), m_search.found.end(), better);
        return std::move(m_search);
    }

private:
    // Most devices first, then the narrowest.
    std::vector<Layout> possibleLayouts()
    {
        std::vector<Layout> layouts;
        const int n = int(m_request.topology.devices.size());
        for (int w = 1; w <= n; ++w) {
            if (m_request.width > 0 && w != m_request.width)
                continue;
            for (int d = n / w; d >= 1; --d) {
                if (m_request.stages > 0 && d != m_request.stages)
                    continue;
                const bool all = d * w == n || m_request.stages > 0; // else it is not to be told
                if (d > m_layers) {
                    if (all)
                        refuse(Layout { w, d },
                            fmt::format(
                                "{} stages are more than the model's {} layers", d, m_layers));
                    continue;
                }
                if (m_request.batchSize % w != 0) {
                    if (all)
                        refuse(Layout { w, d },
                            fmt::format("a batch of {} samples does not divide among {} replicas",
                                m_request.batchSize, w));
                    continue;
                }
                layouts.push_back({ w, d });
            }
        }
        std::stable_sort(layouts.begin(), layouts.end(),
            [](const Layout& a, const Layout& b) { return a.devices() > b.devices(); });
        return layouts;
    }

    void refuse(const Layout& layout, std::string reason)
    {
        m_search.rejected.push_back({ .plan
            = fmt::format("{}, {}", m_schedule.name, layoutText(layout.depth, layout.width)),
            .reason = std::move(reason),
            .schedule = m_schedule.name,
            .depth = layout.depth,
            .width = layout.width });
    }

    RejectedPlan& refuse(const PlanShape& shape, std::string reason)
    {
        return m_search.rejected.emplace_back(
            RejectedPlan { .plan = shapeText(m_schedule.name, shape),
                .reason = std::move(reason),
                .schedule = m_schedule.name,
                .depth = shape.depth,
                .width = shape.width,
                .microbatchSize = shape.microbatchSize,
                .microbatches = shape.microbatches });
    }

    // `beat`: samples/s that a shape must be able to exceed to be tried at all. Samples/s that no
    // shape of the layout exceeds; 0: none fits or was tried.
    double tryLayout(const Layout& layout, double beat)
    {
        const std::size_t before = m_shapes.size();
        const std::int64_t each = m_request.batchSize / layout.width;
        for (const std::int64_t b : divisors(each)) {
            const std::int64_t m = each / b;
            if (cancelled())
                break;
            if ((m_request.microbatchSize > 0 && b != m_request.microbatchSize)
                || (m_request.microbatches > 0 && m != m_request.microbatches))
                continue;
            tryShape({ layout.width, layout.depth, int(b), int(m) }, beat);
        }
        double most = 0;
        for (std::size_t i = before; i < m_shapes.size(); ++i)
            most = std::max(most, m_shapes[i].mostRate);
        return most;
    }

    void tryShape(const PlanShape& shape, double beat)
    {
        const ScheduleRequest list = listRequest(m_request, m_schedule, shape);
        if (const Status enough = checkMicrobatches(m_schedule, list); !enough) {
            ++m_search.considered;
            refuse(shape, enough.error().message);
            return;
        }
        if (std::int64_t(shape.microbatches) * shape.depth * 2 * kSimulatedBatches
            > kMostListActions) {
            ++m_search.considered;
            m_search.onlyTooShallow = false;
            m_search.tooManyMicrobatches = true;
            refuse(shape,
                fmt::format("a batch of {} samples is {} microbatches a pipeline, more than are "
                            "simulated: lower the batch size, or take larger microbatches",
                    m_request.batchSize, shape.microbatches));
            return;
        }
        auto demand = steadyDemand(list);
        if (!demand) {
            ++m_search.considered;
            m_search.onlyTooShallow = false;
            refuse(shape, demand.error().message);
            return;
        }
        Shape tried { list,
            std::make_unique<StageCosts>(m_request, m_schedule, shape, std::move(*demand)),
            { shape, {}, 0, 0 } };
        const double samples = double(m_request.batchSize);
        if (beat > 0 && samples / tried.costs->leastOfAll() <= beat)
            return;
        ++m_search.considered;
        if (auto partition = fastestPartition(*tried.costs, m_layers)) {
            tried.mostRate = samples / partition->slowest;
            tried.candidate.partition = std::move(*partition);
            m_shapes.push_back(std::move(tried));
            return;
        }
        m_search.onlyTooShallow = false;
        tried.candidate.partition = closestPartition(*tried.costs, m_layers);
        auto [need, reason, help] = whereOver(*tried.costs, tried.candidate.partition);
        RejectedPlan& refused = refuse(shape, reason);
        refused.peakMemory = need;
        if (tried.candidate.partition.slowest > 0)
            refused.mostSamplesPerSecond = samples / tried.candidate.partition.slowest;
        if (!m_search.closest
            || tried.candidate.partition.excess < m_search.closest->partition.excess) {
            m_search.closest = std::move(tried.candidate);
            m_search.closestText = std::move(reason);
            m_search.closestHelp = std::move(help);
        }
    }

    void setPeriod(Candidate& candidate, double period)
    {
        candidate.period = period;
        candidate.rate = double(m_request.batchSize) / period;
        m_bestRate = std::max(m_bestRate, candidate.rate);
    }

    void simulateThoseThatCanWin()
    {
        std::stable_sort(m_shapes.begin(), m_shapes.end(),
            [](const Shape& a, const Shape& b) { return a.mostRate > b.mostRate; });
        std::size_t count = 0;
        for (Shape& shape : m_shapes) {
            if (cancelled() || (count >= kept() && shape.mostRate < m_bestRate))
                break; // the others' bounds are lower still
            ++count;
            if (shape.simulated)
                continue;
            CutTimer timer(*shape.costs, shape.list, m_layers);
            setPeriod(shape.candidate, timer.period(cutOf(shape.candidate.partition)));
            shape.simulated = true;
        }
    }

    // Best first, as refining raises the bar for the rest.
    void refineThoseNearTheBest()
    {
        std::vector<Shape*> near;
        for (Shape& shape : m_shapes)
            if (shape.simulated && shape.candidate.rate >= m_bestRate / (1 + kMostGain))
                near.push_back(&shape);
        std::stable_sort(near.begin(), near.end(),
            [](const Shape* a, const Shape* b) { return better(a->candidate, b->candidate); });
        std::size_t left = kept();
        for (Shape* shape : near) {
            if (left == 0 || cancelled())
                return;
            --left;
            if (shape->mostRate <= shape->candidate.rate * (1 + kTie))
                continue; // no cut is faster
            CutTimer timer(*shape->costs, shape->list, m_layers);
            const TimedCut best
                = fastestCut(timer, cutOf(shape->candidate.partition), m_layers, kRefineActions);
            shape->candidate.partition = partitionOf(*shape->costs, m_layers, best.cut);
            setPeriod(shape->candidate, best.period);
        }
    }

    [[nodiscard]] bool cancelled() const { return m_request.cancelled && m_request.cancelled(); }
    [[nodiscard]] std::size_t kept() const { return std::size_t(m_request.top) + 3; }

    static std::vector<int> cutOf(const Partition& partition)
    {
        std::vector<int> cut;
        for (const PlanStage& stage : partition.stages)
            cut.push_back(stage.firstLayer);
        return cut;
    }

    const PlannerRequest& m_request;
    const ScheduleInfo& m_schedule;
    int m_layers;
    Search m_search;
    std::vector<Shape> m_shapes;
    double m_bestRate = 0; // samples/s, simulated
};

} // namespace

std::string shapeText(const std::string& schedule, const PlanShape& shape)
{
    return fmt::format("{}, {}, b {}, m {}", schedule, layoutText(shape.depth, shape.width),
        shape.microbatchSize, shape.microbatches);
}

Search searchPipelines(const PlannerRequest& request, const ScheduleInfo& schedule)
{
    return PipelineSearch(request, schedule).run();
}

} // namespace stageloom::planners
