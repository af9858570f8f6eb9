// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/plan_document.h"
#include "ui/state/planner_state.h"
#include <functional>
#include <vector>

namespace stageloom {

// A model on a machine that the planner makes a first plan for.
struct SamplePlan {
    QString title, model, topology;
    std::int64_t batchSize = 1, seq = 0; // samples; tokens, 0: as long as the model reads
};

// Makes plans that become the document: asks before there is something to lose, and where the
// document became another while the planner looked, offers its answer instead of replacing it.
class PlanSearch : public QObject {
    Q_OBJECT
public:
    PlanSearch(PlannerState& planner, PlanDocument& document, QObject* parent = nullptr);

    // Asked before another plan takes the document's place, where it has unsaved edits; false
    // keeps it. Unset: never asked.
    std::function<bool()> mayReplace;
    [[nodiscard]] bool isReplaceable() const;

    static std::vector<SamplePlan> samples();
    void openSample(const SamplePlan& sample);
    // The open plan's model and batch on workers of this machine's CPU, as the engine trains them.
    void planForCpu();
    // `measured`: layer times of the model, used where the machine is one of CPU workers.
    void planFor(const Model& model, const QString& source, const std::optional<Topology>& machine,
        const std::optional<Profile>& measured);
    void takeOffered(); // what offered() spoke of

signals:
    void opened(); // an answer became the document
    void offered(const QString& name); // … would have, but the document is another by now
    void failed(const QString& sentence);

private:
    void take();
    void begin(); // the next answer is for the document as it is now

    PlannerState& m_planner;
    PlanDocument& m_document;
    std::optional<int> m_askedAt; // revision of the document; none: the answer is only shown
    std::optional<Plan> m_offer;
};

// Layer times are measured on CPUs: of a plan for GPUs they say nothing.
bool runsOnWorkers(const Topology& machine);

} // namespace stageloom
