// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/planner.h"
#include "ui/state/latest_job.h"
#include <QObject>

namespace stageloom {

// Asks the planner off the window's thread and keeps its last answer.
class PlannerState : public QObject {
    Q_OBJECT
public:
    explicit PlannerState(QObject* parent = nullptr);
    void request(PlannerRequest request);
    // The model and the machine are read first, where they are only named.
    void requestByName(
        const QString& model, const QString& topology, std::int64_t batchSize, std::int64_t seq);
    [[nodiscard]] const PlannerAnswer& answer() const { return m_answer; }
    [[nodiscard]] bool isBusy() const { return m_job.running(); }

signals:
    void started();
    void answered(); // answer() is new
    void failed(const QString& sentence);

private:
    void take(Result<PlannerAnswer> answer);
    LatestJob<Result<PlannerAnswer>> m_job;
    PlannerAnswer m_answer;
};

// What the planner needs to look for other plans of the same model, machine and batch.
Result<PlannerRequest> plannerRequestFor(const Plan& plan);

} // namespace stageloom
