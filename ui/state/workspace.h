// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/engine_state.h"
#include "ui/state/file_kind.h"
#include "ui/state/last_batches.h"
#include "ui/state/layer_profiling.h"
#include "ui/state/live_run.h"
#include "ui/state/model_state.h"
#include "ui/state/pinned_plan.h"
#include "ui/state/plan_document.h"
#include "ui/state/planner_state.h"
#include "ui/state/predictor.h"
#include "ui/state/runs_state.h"
#include "ui/state/topology_state.h"
#include <functional>

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

    // Opens what a person dropped or named: plans, models (config.json or its folder), machines,
    // layer times; told apart by what is in them, read off the window's thread. One of each kind is
    // shown; `failed` says a sentence for each file that is not.
    void openFile(const QString& path) { openFiles({ path }); }
    void openFiles(const QStringList& paths);
    // Asked before another plan takes the document's place, where it has unsaved edits; false
    // keeps it. Unset: never asked.
    std::function<bool()> mayReplacePlan;
    // What was open when the window closed; on a first start the sample that this machine trains.
    void restore();
    static std::vector<SamplePlan> samples();
    void openSample(const SamplePlan& sample);
    // The open plan's model and batch on workers of this machine's CPU, as the engine trains them.
    void planForCpu();
    // Asks the planner for plans of a model; the best becomes the document.
    void planFor(const Model& model, const QString& source, const std::optional<Topology>& machine);

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

    static QStringList recentFiles();
    static void rememberFile(const QString& path);
    static void forgetFiles();

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
    void rememberDocument();
    void take(std::vector<OpenedFile> files);
    void takePlan(const OpenedFile& file, const Plan& plan);
    void takeProfile(const OpenedFile& file, const Profile& profile, QStringList& problems);

    LatestJob<std::vector<OpenedFile>> m_opening;
    bool m_adoptFirstAnswer = false;
};

} // namespace stageloom
