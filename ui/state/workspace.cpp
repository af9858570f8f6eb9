// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/workspace.h"

#include "core/plan/training_defaults.h"
#include <QFileInfo>
#include <QSettings>
#include <algorithm>
#include <thread>

namespace stageloom {

namespace {

constexpr auto kRecentKey = "recentFiles";
constexpr int kRecentCount = 10;
constexpr auto kLastKey = "lastPlan"; // its file; empty: one without a file
constexpr std::int64_t kFirstBatch = 64; // samples; edited on the Plan page afterwards

int cpuWorkers()
{
    return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 2U, 4U));
}

// Layer times are measured on CPUs: of a plan for GPUs they say nothing.
bool runsOnWorkers(const Topology& machine)
{
    return std::all_of(machine.devices.begin(), machine.devices.end(),
        [](const Device& device) { return device.kind == DeviceKind::CpuWorker; });
}

} // namespace

Workspace::Workspace(const std::filesystem::path& store, QObject* parent)
    : QObject(parent)
    , runs(store)
    , m_opening(this)
{
    connect(&document, &PlanDocument::planChanged, this, [this] {
        predictor.request(document.plan());
        if (!document.isDirty())
            savedPredictor.request(document.savedPlan());
    });
    connect(&predictor, &Predictor::predicted, this, [this] {
        if (!predictor.prediction() || !predictor.error().isEmpty())
            return;
        model.followPlan(document.plan(), predictor.prediction()->model);
    });
    connect(&document, &PlanDocument::documentChanged, this, &Workspace::rememberDocument);
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
    connect(&planner, &PlannerState::answered, this, [this] {
        if (!std::exchange(m_adoptFirstAnswer, false))
            return;
        if (planner.answer().plans.empty()) {
            const auto& rejected = planner.answer().rejected;
            emit failed(
                tr("No plan fits: %1")
                    .arg(rejected.empty() ? tr("none was found")
                                          : QString::fromStdString(rejected.front().reason)));
            return;
        }
        document.adopt(planner.answer().plans.front().plan);
        emit planOpened();
    });
    connect(&planner, &PlannerState::failed, this, [this] { m_adoptFirstAnswer = false; });
    connect(&planner, &PlannerState::cancelled, this, [this] { m_adoptFirstAnswer = false; });
    connect(&planner, &PlannerState::failed, this, &Workspace::failed);
    connect(&live, &LiveRun::started, this, [this] {
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

std::vector<SamplePlan> Workspace::samples()
{
    const int workers = cpuWorkers();
    return {
        { tr("Small GPT on %n CPU worker(s)", nullptr, workers), QStringLiteral("preset:demo-gpt"),
            QStringLiteral("cpu:%1").arg(workers), training::kSamplesADevice * workers, 0 },
        { tr("GPT-2 medium on 4 × RTX 4090"), QStringLiteral("preset:gpt2-medium"),
            QStringLiteral("rtx4090:4"), 32, 1024 },
        { tr("GPT-2 XL on a DGX A100"), QStringLiteral("preset:gpt2-xl"),
            QStringLiteral("dgx-a100"), 64, 1024 },
    };
}

void Workspace::openSample(const SamplePlan& sample)
{
    m_adoptFirstAnswer = true;
    planner.requestByName(sample.model, sample.topology, sample.batchSize, sample.seq, 1);
}

void Workspace::restore()
{
    const QString last = QSettings().value(QLatin1String(kLastKey)).toString();
    if (!last.isEmpty() && QFileInfo::exists(last) && document.open(last))
        return;
    if (!document.openUntitled())
        openSample(samples().front());
}

void Workspace::rememberDocument()
{
    QSettings().setValue(QLatin1String(kLastKey), document.file());
}

void Workspace::planForCpu()
{
    Result<Topology> cpu = readTopology("cpu:" + std::to_string(cpuWorkers()));
    if (!cpu) {
        emit failed(QString::fromStdString(cpu.error().message));
        return;
    }
    PlannerWish wish { document.plan(), document.plan().batchSize(), 1 };
    wish.plan.topology = std::move(*cpu);
    wish.plan.dtype = Dtype::Fp32;
    wish.plan.profile.reset();
    if (mayReplacePlan && document.isDirty() && !mayReplacePlan())
        return;
    m_adoptFirstAnswer = true;
    planner.request(wish);
}

void Workspace::planFor(
    const Model& shown, const QString& source, const std::optional<Topology>& machine)
{
    if (!machine) {
        emit failed(tr("No machine is chosen: open one on the Topology page first."));
        return;
    }
    if (mayReplacePlan && document.isDirty() && !mayReplacePlan())
        return;
    PlannerRequest request;
    request.modelSource = source.toStdString();
    request.model = shown;
    request.topology = *machine;
    request.batchSize = kFirstBatch;
    // The engine trains one pipeline on CPU workers; on GPUs any number is planned, as by the
    // command, so that more devices than layers have work too.
    request.width = runsOnWorkers(*machine) ? 1 : 0;
    if (runsOnWorkers(*machine))
        request.profile = model.profile();
    m_adoptFirstAnswer = true;
    planner.request(std::move(request));
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

QStringList Workspace::recentFiles()
{
    return QSettings().value(QLatin1String(kRecentKey)).toStringList();
}

void Workspace::rememberFile(const QString& path)
{
    const QString whole = QFileInfo(path).absoluteFilePath(); // the next start may be elsewhere
    QStringList files = recentFiles();
    files.removeAll(whole);
    files.prepend(whole);
    QSettings().setValue(QLatin1String(kRecentKey), files.mid(0, kRecentCount));
}

void Workspace::forgetFiles()
{
    QSettings().remove(QLatin1String(kRecentKey));
}

} // namespace stageloom
