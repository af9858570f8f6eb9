// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/layer_profiling.h"

#include "engine/client/profile_client.h"

namespace stageloom {

namespace {

constexpr int kParts = 1000; // of a measurement, as its progress is told

} // namespace

LayerProfiling::LayerProfiling(QObject* parent)
    : LayerProfiling(profileModel, parent)
{
}

LayerProfiling::LayerProfiling(Measure measure, QObject* parent)
    : QObject(parent)
    , m_measure(std::move(measure))
    , m_job(this, &m_thread)
{
    m_thread.setMaxThreadCount(1);
    m_job.runningChanged = m_job.progressChanged = [this] { emit stateChanged(); };
}

LayerProfiling::~LayerProfiling() = default;

double LayerProfiling::fraction() const
{
    return double(m_job.progress().value) / kParts;
}

void LayerProfiling::start(const Plan& plan)
{
    const auto work = [plan, measure = m_measure](QPromise<Result<Profile>>& promise) {
        promise.setProgressRange(0, kParts);
        return measure(plan, [&promise](double fraction) {
            promise.setProgressValue(static_cast<int>(fraction * kParts));
            return !promise.isCanceled();
        });
    };
    m_job.start(work, [this, plan](Result<Profile> profile) {
        if (profile)
            emit measured(plan, *profile);
        else
            emit failed(QString::fromStdString(profile.error().message));
    });
}

void LayerProfiling::cancel()
{
    m_job.drop();
}

Plan planToMeasure(const Model& model, const QString& source)
{
    Plan plan;
    plan.modelSource = source.toStdString();
    plan.modelConfig = model.config;
    plan.seq = model.seq;
    plan.dtype = model.dtype;
    plan.schedule = kFlushSchedule;
    Device worker;
    worker.kind = DeviceKind::CpuWorker;
    worker.name = "CPU worker";
    plan.topology.devices = { worker };
    plan.topology.title = LayerProfiling::tr("1 CPU worker").toStdString();
    plan.stages = { { 0, static_cast<int>(model.layers.size()) - 1, { 0 }, false } };
    return plan;
}

} // namespace stageloom
