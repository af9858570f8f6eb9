// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/layer_profiling.h"

#include "engine/client/profile_client.h"
#include <QtConcurrentRun>

namespace stageloom {

LayerProfiling::LayerProfiling(QObject* parent)
    : LayerProfiling(profileModel, parent)
{
}

LayerProfiling::LayerProfiling(Measure measure, QObject* parent)
    : QObject(parent)
    , m_measure(std::move(measure))
{
    constexpr int kLookEvery = 100; // ms
    m_look.setInterval(kLookEvery);
    connect(&m_look, &QTimer::timeout, this, &LayerProfiling::stateChanged);
    m_thread.setMaxThreadCount(1);
}

LayerProfiling::~LayerProfiling()
{
    if (m_now)
        m_now->wanted = false;
    m_thread.waitForDone();
}

double LayerProfiling::fraction() const
{
    return m_now ? m_now->fraction.load() : 0;
}

void LayerProfiling::start(const Plan& plan)
{
    if (m_now)
        m_now->wanted = false;
    m_now = std::make_shared<Progress>();
    m_look.start();
    const auto work = [this, plan, now = m_now, measure = m_measure] {
        Result<Profile> profile = measure(plan, [now](double fraction) {
            now->fraction = fraction;
            return now->wanted.load();
        });
        // The destructor waits for this thread, so `this` is alive here.
        QMetaObject::invokeMethod(
            this,
            [this, now, plan, profile = std::move(profile)]() mutable {
                take(now, plan, std::move(profile));
            },
            Qt::QueuedConnection);
    };
    (void)QtConcurrent::run(&m_thread, work);
    emit stateChanged();
}

void LayerProfiling::cancel()
{
    if (!m_now)
        return;
    m_now->wanted = false;
    m_now.reset();
    m_look.stop();
    emit stateChanged();
}

void LayerProfiling::take(
    const std::shared_ptr<Progress>& which, const Plan& plan, Result<Profile> profile)
{
    if (which != m_now)
        return;
    m_now.reset();
    m_look.stop();
    emit stateChanged();
    if (profile)
        emit measured(plan, *profile);
    else
        emit failed(QString::fromStdString(profile.error().message));
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
