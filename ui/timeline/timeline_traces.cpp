// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_traces.h"

#include <QThreadPool>
#include <algorithm>
#include <utility>

namespace stageloom {

namespace {

// Up to here the GUI thread indexes a trace itself, in some ten milliseconds.
constexpr std::size_t kMostAtOnce = 200'000;
// A plan of at most so many spans goes along with a run beyond its own batches.
constexpr std::size_t kMostMoved = 50'000;

} // namespace

TimelineTraces::TimelineTraces(QObject* parent)
    : QObject(parent)
{
}

bool TimelineTraces::isLoading() const
{
    return std::ranges::any_of(m_jobs, &Job::running);
}

void TimelineTraces::set(TraceSide side, Trace trace, const TraceFrame& frame)
{
    Job& job = m_jobs[static_cast<std::size_t>(side)];
    emit aboutToChange();
    if (side == TraceSide::Run && m_givenPlan) // it stood under this run
        m_model.setTrace(TraceSide::Plan, *m_givenPlan, m_model.side(TraceSide::Plan).frame());
    if (side != TraceSide::Pinned)
        m_givenPlan.reset();
    if (trace.spans.size() <= kMostAtOnce) {
        const bool overtaken = job.running();
        job.drop();
        install(side, std::make_shared<TimelineSide>(std::move(trace), frame));
        if (overtaken)
            emit loadingChanged(isLoading());
        return;
    }
    install(side, std::make_shared<TimelineSide>()); // what was there is no longer true
    const auto given = std::make_shared<Trace>(std::move(trace));
    job.start([given, frame] { return std::make_shared<TimelineSide>(std::move(*given), frame); },
        [this, side](std::shared_ptr<TimelineSide> built) {
            emit aboutToChange();
            install(side, std::move(built));
            emit loadingChanged(isLoading());
        });
    emit loadingChanged(true);
}

void TimelineTraces::install(TraceSide side, std::shared_ptr<TimelineSide> built)
{
    // Giving back half a gigabyte takes longer than a frame.
    if (auto old = m_model.setSide(side, std::move(built)); old->trace().spans.size() > kMostAtOnce)
        QThreadPool::globalInstance()->start([gone = std::move(old)]() mutable { gone.reset(); });
    bringPlan();
    emit changed();
}

void TimelineTraces::setPlanInSight(bool on)
{
    m_planInSight = on;
    bringPlan();
}

void TimelineTraces::look(const TimeRange& sight)
{
    m_sight = sight;
    bringPlan();
}

int TimelineTraces::batchInSight() const
{
    const TimelineSide& run = m_model.side(TraceSide::Run);
    const SpanIndex& lane = run.compute(0);
    const std::size_t at
        = lane.firstEndingAfter(run.trace().spans, (m_sight.begin + m_sight.end) / 2);
    return lane.empty() ? -1
                        : run.trace().spans[lane.reference(std::min(at, lane.size() - 1))].batch;
}

// A move costs the plan's spans, and it is made only where the eye has left the plan's batches.
void TimelineTraces::bringPlan()
{
    if (!m_planInSight || !m_model.has(TraceSide::Run) || !m_model.has(TraceSide::Plan))
        return;
    const TimelineSide& now = m_model.side(TraceSide::Plan);
    if (now.trace().spans.size() > kMostMoved)
        return;
    const int batch = batchInSight();
    if (batch < 0 || (batch >= now.firstBatch() && batch <= now.lastBatch()))
        return;
    const bool moved = m_givenPlan.has_value();
    Trace plan = moved ? *m_givenPlan : now.trace();
    std::optional<Trace> aligned
        = alignedWith(TimelineSide(plan), m_model.side(TraceSide::Run), batch);
    if (!aligned && !moved)
        return;
    const TraceFrame frame = now.frame();
    m_givenPlan.reset();
    if (aligned)
        m_givenPlan = plan;
    m_model.setTrace(TraceSide::Plan, aligned ? std::move(*aligned) : std::move(plan), frame);
    emit planMoved();
}

} // namespace stageloom
