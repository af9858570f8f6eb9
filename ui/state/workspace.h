// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/last_batches.h"
#include "ui/state/live_run.h"
#include "ui/state/model_state.h"
#include "ui/state/plan_document.h"
#include "ui/state/planner_state.h"
#include "ui/state/predictor.h"
#include "ui/state/runs_state.h"
#include "ui/state/topology_state.h"

namespace stageloom {

// A model on a machine that the planner makes a first plan for.
struct SamplePlan {
    QString title, model, topology;
    std::int64_t batchSize = 1, seq = 0; // samples; tokens, 0: as long as the model reads
};

// Everything the pages share, wired: an edit asks for a prediction, an opened plan shows its model
// and machine. Owned by the window; GUI thread.
class Workspace : public QObject {
    Q_OBJECT
public:
    explicit Workspace(const std::filesystem::path& store, QObject* parent = nullptr);

    // Opens what a person dropped or named: a plan, a model (config.json or its folder), a machine.
    // The sentence says why not; `opened` says which page shows it.
    void openFile(const QString& path);
    // What was open when the window closed; on a first start the sample that this machine trains.
    void restore();
    static std::vector<SamplePlan> samples();
    void openSample(const SamplePlan& sample);
    // The open plan's model and batch on workers of this machine's CPU, as the engine trains them.
    void planForCpu();
    // Asks the planner for plans of a model; the best becomes the document.
    void planFor(const Model& model, const QString& source, const std::optional<Topology>& machine);

    PlanDocument document;
    Predictor predictor;
    Predictor savedPredictor; // of the saved plan, for comparison
    PlannerState planner;
    ModelState model;
    TopologyState topology;
    RunsState runs;
    LiveRun live;
    Predictor livePredictor { LastBatches::kPlanned }; // of the plan that the run was started with

    static QStringList recentFiles();
    static void rememberFile(const QString& path);

signals:
    void planOpened();
    void modelAsked();
    void topologyAsked();
    void trainAsked(); // a run of the document is wanted
    void failed(const QString& sentence);

private:
    void rememberDocument();
    bool m_adoptFirstAnswer = false;
};

} // namespace stageloom
