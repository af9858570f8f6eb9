// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/predictor.h"

#include <QElapsedTimer>
#include <algorithm>

namespace stageloom {

namespace {

std::string modelKeyOf(const Plan& plan)
{
    return fmt::format("{} {} {}", jsonLine(plan.modelConfig), plan.seq, toString(plan.dtype));
}

// Of its schedule's list, roughly: what a prediction's time grows with.
double actionsOf(const Plan& plan, int batches)
{
    return static_cast<double>(std::max<std::size_t>(1, plan.stages.size()))
        * std::max(1, plan.microbatches) * batches;
}

} // namespace

Predictor::Predictor(Batches batches, QObject* parent)
    : QObject(parent)
    , m_batches(std::move(batches))
    , m_job(this)
{
}

Predictor::Answer Predictor::compute(
    const Plan& plan, const Shared& last, const std::string& key, int batches)
{
    QElapsedTimer clock;
    clock.start();
    Answer answer;
    answer.plan = plan;
    answer.modelKey = modelKeyOf(plan);
    answer.modelWasRead = !last || key != answer.modelKey;
    if (!answer.modelWasRead)
        answer.prediction = predict(plan, last->model, batches);
    else
        answer.prediction = predict(plan, batches);
    answer.seconds = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
    return answer;
}

double Predictor::estimate(const Plan& plan) const
{
    return m_secondsPerAction * actionsOf(plan, m_batches(plan));
}

void Predictor::request(const Plan& plan)
{
    if (m_job.running()) {
        m_waiting = plan;
        return;
    }
    m_waiting.reset();
    if (m_model && estimate(plan) < m_syncBelow && modelKeyOf(plan) == m_modelKey)
        take(compute(plan, m_model, m_modelKey, m_batches(plan)));
    else
        start(plan);
}

void Predictor::forget()
{
    const bool wasBusy = isBusy();
    m_job.drop();
    m_waiting.reset();
    m_forgotten = m_prediction != nullptr || !m_error.isEmpty();
    m_prediction.reset();
    m_error.clear();
    if (wasBusy)
        emit busyChanged(false);
}

void Predictor::start(const Plan& plan)
{
    m_job.start([plan, last = m_model, key = m_modelKey,
                    batches = m_batches(plan)] { return compute(plan, last, key, batches); },
        [this](Answer answer) {
            take(std::move(answer)); // late, but newer than what is shown
            if (m_waiting && !m_job.running()) // else a listener asked for a newer one
                request(*std::exchange(m_waiting, std::nullopt));
            if (!m_job.running())
                emit busyChanged(false);
        });
    emit busyChanged(true);
    if (std::exchange(m_forgotten, false))
        emit predicted(); // until it comes there is none
}

void Predictor::take(Answer answer)
{
    m_seconds = answer.seconds;
    m_forgotten = false;
    m_error.clear();
    m_plan = std::move(answer.plan);
    if (answer.prediction) {
        m_prediction = std::make_shared<const Prediction>(std::move(*answer.prediction));
        m_model = m_prediction;
        m_modelKey = std::move(answer.modelKey);
        // A single slow one (another program had the core) counts for a while, not for good.
        const double measured = answer.seconds / actionsOf(m_plan, m_batches(m_plan));
        if (!answer.modelWasRead)
            m_secondsPerAction = std::max(measured, (m_secondsPerAction + measured) / 2);
    } else {
        m_prediction.reset();
        m_error = QString::fromStdString(answer.prediction.error().message);
    }
    emit predicted();
}

} // namespace stageloom
