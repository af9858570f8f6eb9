// SPDX-License-Identifier: Apache-2.0
// Rules that concern one stage alone: its updates in order and whole, the versions that its
// microbatches read, and what it has to keep.
#include "core/schedule/verify_rules.h"

#include "core/base/text.h"

#include <algorithm>

namespace stageloom::verify {

namespace {

class Stages {
public:
    Stages(const Schedule& schedule, Findings& findings)
        : m_schedule(schedule)
        , m_findings(findings)
        , m_total(schedule.microbatchCount())
        , m_updates(std::max<std::size_t>(1, schedule.updateCount()))
        , m_backwards(std::size_t(schedule.stages) * m_updates, 0)
        , m_nextUpdate(std::size_t(schedule.stages), 0)
        , m_newest(std::size_t(schedule.stages), 0)
    {
        for (const auto& list : schedule.workers)
            for (const Action& action : list) {
                m_hasUpdates = m_hasUpdates || action.kind == ActionKind::Update;
                m_handIns = m_handIns || action.kind == ActionKind::AllReduce;
            }
        // Under the other rules what a forward read follows from its microbatch.
        if (schedule.versionRule == VersionRule::Stash)
            m_read.assign(std::size_t(schedule.stages) * m_total, kNone);
    }

    void go()
    {
        for (std::size_t w = 0; w < m_schedule.workers.size(); ++w)
            for (std::size_t i = 0; i < m_schedule.workers[w].size(); ++i)
                look(m_schedule.workers[w][i], int(w), i);
        for (int stage = 0; m_hasUpdates && stage < m_schedule.stages; ++stage)
            if (const int next = m_nextUpdate[std::size_t(stage)]; std::size_t(next) < m_updates)
                m_findings.add("update", [&] {
                    return fmt::format("stage {} never updates after batch {}; {} updates are due",
                        stage, next, m_updates);
                });
    }

private:
    static constexpr int kNone = -1;
    // Beside the number of backwards of a batch: its part was handed in.
    static constexpr std::uint32_t kHandedIn = 1u << 31;

    void find(const char* rule, const Action& action, const char* what, int worker, std::size_t at)
    {
        m_findings.add(
            rule, [&] { return toText(action) + " " + what; }, worker, at);
    }

    void look(const Action& action, int worker, std::size_t position)
    {
        if (action.stage < 0 || action.stage >= m_schedule.stages || action.microbatch < 0
            || std::size_t(action.microbatch) >= m_total)
            return; // reported by the rule "once"
        const auto batch = std::size_t(m_schedule.batchOf(action));
        if (batch < m_updates)
            order(action, batch, worker, position);
        else if (!carriesMicrobatch(action.kind))
            find("update", action, "is an update too many", worker, position);
        if (action.version < 0)
            return;
        if (action.kind == ActionKind::Update)
            makes(action, worker, position);
        else if (isCompute(action.kind))
            reads(action, int(batch), worker, position);
    }

    // Where a schedule updates at all, each stage updates once a batch, in the order of batches,
    // after the batch's last backward; and a batch's part is handed in after that backward and
    // before the update that waits for it.
    void order(const Action& action, std::size_t batch, int worker, std::size_t position)
    {
        std::uint32_t& state = m_backwards[std::size_t(action.stage) * m_updates + batch];
        if (endsMicrobatch(action.kind))
            ++state;
        const bool whole = (state & ~kHandedIn) == std::uint32_t(m_schedule.microbatchesPerUpdate);
        if (action.kind == ActionKind::AllReduce) {
            if (!whole)
                find("update", action, "hands in before the batch's last backward", worker,
                    position);
            if (state & kHandedIn)
                find("update", action, "hands the batch in a second time", worker, position);
            state |= kHandedIn;
        }
        if (action.kind != ActionKind::Update)
            return;
        int& next = m_nextUpdate[std::size_t(action.stage)];
        if (int(batch) != next)
            find("update", action, "is out of the order of batches", worker, position);
        if (!whole)
            find("update", action, "comes before the batch's last backward", worker, position);
        if (m_handIns && !(state & kHandedIn))
            find("update", action, "has no ALLREDUCE before it", worker, position);
        next = std::max(next, int(batch) + 1);
    }

    void makes(const Action& action, int worker, std::size_t position)
    {
        int& newest = m_newest[std::size_t(action.stage)];
        if (action.version != newest + 1)
            m_findings.add(
                "update",
                [&] {
                    return fmt::format("{} makes version {}, and the newest is {}", toText(action),
                        action.version, newest);
                },
                worker, position);
        newest = std::max(newest, action.version);
    }

    void reads(const Action& action, int batch, int worker, std::size_t position)
    {
        const int newest = m_newest[std::size_t(action.stage)];
        if (action.version > newest)
            m_findings.add(
                "version",
                [&] {
                    return fmt::format("{} reads version {}, which is not made yet (newest {})",
                        toText(action), action.version, newest);
                },
                worker, position);
        int expected
            = m_schedule.versionRule == VersionRule::DelayOne ? std::max(batch - 1, 0) : batch;
        const char* source = "the rule gives";
        if (!m_read.empty()) {
            int& read
                = m_read[std::size_t(action.stage) * m_total + std::size_t(action.microbatch)];
            if (action.kind == ActionKind::Forward)
                read = action.version;
            expected = read;
            source = "its forward read";
        }
        if (action.version != expected)
            m_findings.add(
                "version",
                [&] {
                    return fmt::format("{} reads version {}, and {} {}", toText(action),
                        action.version, source, expected);
                },
                worker, position);
    }

    const Schedule& m_schedule;
    Findings& m_findings;
    std::size_t m_total, m_updates;
    // [stage][update] backwards done, and kHandedIn.
    std::vector<std::uint32_t> m_backwards;
    std::vector<int> m_nextUpdate, m_newest;
    // [stage][microbatch] version that the forward read; VersionRule::Stash alone.
    std::vector<int> m_read;
    bool m_hasUpdates = false, m_handIns = false;
};

int versionsAllowed(const Schedule& schedule, const VerifyOptions& options)
{
    if (options.maxVersions > 0)
        return options.maxVersions;
    switch (schedule.versionRule) {
    case VersionRule::Flush:
        return 1;
    case VersionRule::DelayOne:
        return 2;
    case VersionRule::Stash:
        return 0;
    }
    return 0;
}

} // namespace

void proveStages(const Schedule& schedule, const ListDemand& demand, const VerifyOptions& options,
    Findings& findings)
{
    Stages(schedule, findings).go();
    const int versions = versionsAllowed(schedule, options);
    for (std::size_t s = 0; s < std::size_t(schedule.stages); ++s) {
        const int worker = schedule.workerOfStage[s];
        if (options.maxStash > 0 && demand.peakStash[s] > options.maxStash)
            findings.add(
                "stash",
                [&] {
                    return fmt::format(
                        "stage {} has {} microbatches in flight at once, and {} are allowed", s,
                        demand.peakStash[s], options.maxStash);
                },
                worker, std::size_t(demand.stashPeakAt[s]));
        if (versions > 0 && demand.peakVersions[s] > versions)
            findings.add(
                "two-versions",
                [&] {
                    return fmt::format("stage {} needs {} weight versions at once, and {} is "
                                       "allowed; more microbatches a batch than stages are needed",
                        s, demand.peakVersions[s], versions);
                },
                worker, std::size_t(demand.versionPeakAt[s]));
    }
}

} // namespace stageloom::verify
