// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"
#include "ui/timeline/timeline_model.h"
#include <QObject>

namespace stageloom {

// The traces of one view: large ones are indexed in the pool and handed over, a plan of a few
// batches goes along with the run it is held against. GUI thread only.
class TimelineTraces : public QObject {
    Q_OBJECT
public:
    explicit TimelineTraces(QObject* parent = nullptr);
    void set(TraceSide side, Trace trace, const TraceFrame& frame = {});
    [[nodiscard]] const TimelineModel& model() const { return m_model; }
    [[nodiscard]] bool isLoading() const;
    // A plan of a few batches stands under the batches in sight of a long run.
    void setPlanInSight(bool on);
    void look(const TimeRange& sight);

signals:
    void aboutToChange(); // spans referred to are good for the last time
    void changed();
    void planMoved(); // only in time
    void loadingChanged(bool loading);

private:
    using Job = LatestJob<std::shared_ptr<TimelineSide>>;
    TimelineModel m_model;
    std::array<Job, kTraceSides> m_jobs { Job(this), Job(this), Job(this) };
    std::optional<Trace> m_givenPlan; // as it was given; only while it is moved in time
    TimeRange m_sight;
    bool m_planInSight = false;
    void install(TraceSide side, std::shared_ptr<TimelineSide> built);
    void bringPlan();
    [[nodiscard]] int batchInSight() const; // of the run, in the middle; -1: none
};

} // namespace stageloom
