// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/engine_state.h"
#include "ui/state/file_kind.h"
#include "ui/state/last_batches.h"
#include "ui/state/layer_profiling.h"
#include "ui/state/live_run.h"
#include "ui/state/model_state.h"
#include "ui/state/pinned_plan.h"
#include "ui/state/plan_search.h"
#include "ui/state/predictor.h"
#include "ui/state/runs_state.h"
#include "ui/state/topology_state.h"

namespace stageloom {

// Everything the pages share, wired: an edit asks for a prediction, an opened plan shows its model
// and machine. Owned by the window; GUI thread.
class Workspace : public QObject {
    Q_OBJECT
public:
    explicit Workspace(const std::filesystem::path& store, QObject* parent = nullptr);

    // Opens what a person dropped or named: plans, models (config.json or its folder), machines,
    // layer times; told apart by what is in them, read off the window's thread. One of each kind is
    // shown; `failed` says a sentence for each file that is not.
    void openFile(const QString& path) { openFiles({ path }); }
    void openFiles(const QStringList& paths);
    // What was open when the window closed; on a first start the sample that this machine trains.
    void restore();
    // A plan of the model shown on the machine shown becomes the document.
    void planShownModel();

    // Measures the layers of the model shown, at the plan's microbatch where it is the plan's.
    void profileShownModel();
    // Layer times of the model shown; a plan of it on CPU workers predicts with them from then on.
    void useProfile(const Profile& profile);
    void useShownMachine(); // the plan moves to the machine on the Topology page
    // The plan of an earlier run becomes the document, ready to start with the same data, seed and
    // steps.
    void runAgain(const TrainRequest& request);

    PlanDocument document;
    Predictor predictor;
    Predictor savedPredictor; // of the saved plan, for comparison
    PinnedPlan pinned; // "A", to compare the document with
    EngineState engine; // what it trains
    PlannerState planner;
    PlanSearch search { planner, document };
    ModelState model;
    TopologyState topology;
    LayerProfiling profiling;
    RunsState runs;
    LiveRun live;
    Predictor livePredictor {
        LastBatches::batchesToPlan
    }; // of the plan that the run was started with

    // What is being read or looked for, for people; empty: nothing. A run is no such work.
    [[nodiscard]] QString busyWith() const;
    void stopBusy(); // the results on their way are dropped, what is shown stays

signals:
    void busyChanged();
    void planOpened();
    void modelAsked();
    void topologyAsked();
    void trainAsked(); // a run of the document is wanted
    void runAgainAsked(const stageloom::TrainRequest& request); // the window asks for unsaved edits
    void runPrepared(const stageloom::TrainRequest& request); // the form takes it over
    void failed(const QString& sentence);

private:
    void take(std::vector<OpenedFile> files);
    void takePlan(const OpenedFile& file, const Plan& plan);
    void takeProfile(const OpenedFile& file, const Profile& profile, QStringList& problems);

    LatestJob<std::vector<OpenedFile>> m_opening;
};

} // namespace stageloom
