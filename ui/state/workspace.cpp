// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/workspace.h"

#include "ui/state/recent_files.h"
#include <QFileInfo>

namespace stageloom {

Workspace::Workspace(const std::filesystem::path& store, QObject* parent)
    : QObject(parent)
    , runs(store)
    , m_opening(this)
{
    connect(&document, &PlanDocument::opened, this, [this] {
        predictor.forget();
        savedPredictor.forget();
    });
    connect(&document, &PlanDocument::planChanged, this, [this] {
        predictor.request(document.plan());
        if (!document.isDirty())
            savedPredictor.request(document.savedPlan());
    });
    connect(&predictor, &Predictor::predicted, this, [this] {
        if (const Predictor::Shared now = predictor.prediction())
            model.followPlan(predictor.plan(), now->model);
    });
    connect(&document, &PlanDocument::documentChanged, this,
        [this] { recent::rememberLastPlan(document.file()); });
    connect(&document, &PlanDocument::planChanged, this,
        [this] { topology.followPlan(document.plan().topology); });
    connect(&topology, &TopologyState::planEditAsked, this,
        [this](const QString& what, const MachineEdit& edit) {
            document.edit(what, withMachine(document.plan(), edit));
        });
    connect(&profiling, &LayerProfiling::measured, this,
        [this](const Plan& measured, const Profile& profile) {
            if (model.isModelOf(measured))
                useProfile(profile);
        });
    connect(&profiling, &LayerProfiling::failed, this, &Workspace::failed);
    connect(&search, &PlanSearch::opened, this, &Workspace::planOpened);
    connect(&search, &PlanSearch::failed, this, &Workspace::failed);
    connect(&planner, &PlannerState::failed, this, &Workspace::failed);
    connect(&live, &LiveRun::started, this, [this] {
        livePredictor.forget();
        if (live.request())
            livePredictor.request(live.request()->plan);
    });
    m_opening.runningChanged = [this] { emit busyChanged(); };
    connect(&model, &ModelState::busyChanged, this, &Workspace::busyChanged);
    connect(&topology, &TopologyState::busyChanged, this, &Workspace::busyChanged);
    connect(&planner, &PlannerState::busyChanged, this, &Workspace::busyChanged);
    connect(&model, &ModelState::failed, this, &Workspace::failed);
    connect(&topology, &TopologyState::failed, this, &Workspace::failed);
}

QString Workspace::busyWith() const
{
    const std::pair<bool, QString> works[] = { { m_opening.running(), tr("Reading the file…") },
        { model.isBusy(), tr("Reading the model…") },
        { topology.isBusy(), tr("Reading the machine…") },
        { planner.isBusy(), tr("Looking for plans…") } };
    for (const auto& [busy, words] : works)
        if (busy)
            return words;
    return {};
}

void Workspace::stopBusy()
{
    m_opening.drop();
    model.cancel();
    topology.cancel();
    if (planner.isBusy())
        planner.cancel();
}

void Workspace::restore()
{
    if (const QString last = recent::lastPlan(); !last.isEmpty()) {
        // The file may be mended, or come back: nothing else takes its place unasked.
        if (!QFileInfo::exists(last))
            emit failed(tr("The plan that was open last, %1, is not there any more; open another "
                           "one, or put the file back.")
                            .arg(last));
        else if (const Status read = document.open(last); !read)
            emit failed(tr("The plan that was open last cannot be read: %1")
                            .arg(QString::fromStdString(read.error().message)));
        return;
    }
    if (!document.openUntitled())
        search.openSample(PlanSearch::samples().front());
}

void Workspace::planShownModel()
{
    if (model.model())
        search.planFor(*model.model(), model.source(), topology.topology(), model.profile());
}

void Workspace::profileShownModel()
{
    if (!model.model())
        return;
    profiling.start(document.isOpen() && model.isModelOf(document.plan())
            ? document.plan()
            : planToMeasure(*model.model(), model.source()));
}

void Workspace::useProfile(const Profile& profile)
{
    model.setProfile(profile);
    if (!document.isOpen() || !model.isModelOf(document.plan())
        || !runsOnWorkers(document.plan().topology))
        return;
    Plan next = document.plan();
    next.profile = profile;
    document.edit(tr("Use measured times"), std::move(next));
}

void Workspace::useShownMachine()
{
    if (document.isOpen() && topology.topology() && !topology.isPlans())
        document.edit(
            tr("Change the machine"), withOtherMachine(document.plan(), *topology.topology()));
}

void Workspace::runAgain(const TrainRequest& request)
{
    document.adopt(request.plan);
    emit runPrepared(request);
}

} // namespace stageloom
