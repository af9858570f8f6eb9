// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/planner.h"
#include "ui/state/latest_job.h"
#include <QObject>
#include <memory>

namespace stageloom {

// What a person asks the planner for; the rest comes from the plan.
struct PlannerWish {
    Plan plan; // model, machine, sequence, precision, schedule, optimizer
    std::int64_t batchSize = 1; // samples, the most an update may take
    int width = 1; // pipelines side by side; 0: any number (the engine here trains one)
    std::vector<std::string> schedules {}; // compared with one another; empty: the plan's
    int microbatchSize = 0; // samples; 0: any
    int top = 5; // plans, and each schedule's best
};

// Asks the planner off the window's thread and keeps its last answer.
class PlannerState : public QObject {
    Q_OBJECT
public:
    explicit PlannerState(QObject* parent = nullptr);
    void request(PlannerRequest request);
    void request(const PlannerWish& wish); // reads the plan's model first
    // The model and the machine are read first, where they are only named.
    void requestByName(const QString& model, const QString& topology, std::int64_t batchSize,
        std::int64_t seq, int width);
    void cancel(); // the search stops at its next candidate
    [[nodiscard]] const PlannerAnswer& answer() const { return *m_answer; }
    // The same to keep: its predictions are too many to copy.
    [[nodiscard]] std::shared_ptr<const PlannerAnswer> sharedAnswer() const { return m_answer; }
    [[nodiscard]] bool isBusy() const { return m_job.running(); }

signals:
    void busyChanged();
    void started();
    void answered(); // answer() is new
    void cancelled();
    void failed(const QString& sentence);

private:
    // Makes the request on the search's own thread: reading a model takes a while.
    void search(std::function<Result<PlannerRequest>()> make);
    LatestJob<Result<PlannerAnswer>> m_job;
    std::shared_ptr<const PlannerAnswer> m_answer = std::make_shared<const PlannerAnswer>();
};

// The request of a wish; fails where the plan's model cannot be read.
Result<PlannerRequest> plannerRequestFor(const PlannerWish& wish);

} // namespace stageloom
