// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/plan_search.h"

#include "core/plan/training_defaults.h"
#include <algorithm>
#include <thread>

namespace stageloom {

namespace {

constexpr std::int64_t kFirstBatch = 64; // samples; edited on the Plan page afterwards

int cpuWorkers()
{
    return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 2U, 4U));
}

} // namespace

bool runsOnWorkers(const Topology& machine)
{
    return std::all_of(machine.devices.begin(), machine.devices.end(),
        [](const Device& device) { return device.kind == DeviceKind::CpuWorker; });
}

PlanSearch::PlanSearch(PlannerState& planner, PlanDocument& document, QObject* parent)
    : QObject(parent)
    , m_planner(planner)
    , m_document(document)
{
    const auto forget = [this] { m_askedAt.reset(); };
    connect(&planner, &PlannerState::answered, this, &PlanSearch::take);
    connect(&planner, &PlannerState::failed, this, forget);
    connect(&planner, &PlannerState::cancelled, this, forget);
    connect(&document, &PlanDocument::opened, this, [this] { m_offer.reset(); });
}

bool PlanSearch::isReplaceable() const
{
    return !mayReplace || !m_document.isDirty() || mayReplace();
}

std::vector<SamplePlan> PlanSearch::samples()
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

void PlanSearch::openSample(const SamplePlan& sample)
{
    if (!isReplaceable())
        return;
    begin();
    m_planner.requestByName(sample.model, sample.topology, sample.batchSize, sample.seq, 1);
}

void PlanSearch::planForCpu()
{
    Result<Topology> cpu = readTopology("cpu:" + std::to_string(cpuWorkers()));
    if (!cpu) {
        emit failed(QString::fromStdString(cpu.error().message));
        return;
    }
    PlannerWish wish { m_document.plan(), m_document.plan().batchSize(), 1 };
    wish.plan.topology = std::move(*cpu);
    wish.plan.dtype = Dtype::Fp32;
    wish.plan.profile.reset();
    if (!isReplaceable())
        return;
    begin();
    m_planner.request(wish);
}

void PlanSearch::planFor(const Model& model, const QString& source,
    const std::optional<Topology>& machine, const std::optional<Profile>& measured)
{
    if (!machine) {
        emit failed(tr("No machine is chosen: open one on the Topology page first."));
        return;
    }
    if (!isReplaceable())
        return;
    PlannerRequest request;
    request.modelSource = source.toStdString();
    request.model = model;
    request.topology = *machine;
    request.batchSize = kFirstBatch;
    // The engine trains one pipeline on CPU workers; on GPUs any number is planned, as by the
    // command, so that more devices than layers have work too.
    request.width = runsOnWorkers(*machine) ? 1 : 0;
    if (runsOnWorkers(*machine))
        request.profile = measured;
    begin();
    m_planner.request(std::move(request));
}

void PlanSearch::begin()
{
    m_askedAt = m_document.revision();
}

void PlanSearch::take()
{
    const std::optional<int> askedAt = std::exchange(m_askedAt, std::nullopt);
    if (!askedAt)
        return;
    const PlannerAnswer& answer = m_planner.answer();
    if (answer.plans.empty()) {
        emit failed(tr("No plan fits: %1")
                        .arg(answer.rejected.empty()
                                ? tr("none was found")
                                : QString::fromStdString(answer.rejected.front().reason)));
        return;
    }
    const Plan& best = answer.plans.front().plan;
    if (*askedAt != m_document.revision()) { // edited meanwhile, or another was opened
        m_offer = best;
        emit offered(QString::fromStdString(best.name));
        return;
    }
    m_document.adopt(best);
    emit opened();
}

void PlanSearch::takeOffered()
{
    if (!m_offer || !isReplaceable())
        return;
    m_document.adopt(*std::exchange(m_offer, std::nullopt));
    emit opened();
}

} // namespace stageloom
