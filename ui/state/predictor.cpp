// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/predictor.h"

#include <QElapsedTimer>

namespace stageloom {

namespace {

std::string modelKeyOf(const Plan& plan)
{
    return fmt::format("{} {} {}", jsonLine(plan.modelConfig), plan.seq, toString(plan.dtype));
}

} // namespace

Predictor::Predictor(Batches batches, QObject* parent)
    : QObject(parent)
    , m_batches(std::move(batches))
    , m_job(this)
{
}

Predictor::Answer Predictor::compute(const Plan& plan,
    const std::shared_ptr<const Prediction>& last, const std::string& key, int batches)
{
    QElapsedTimer clock;
    clock.start();
    Answer answer;
    answer.modelKey = modelKeyOf(plan);
    if (last && key == answer.modelKey)
        answer.prediction = predict(plan, last->model, batches);
    else
        answer.prediction = predict(plan, batches);
    answer.seconds = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
    return answer;
}

void Predictor::request(const Plan& plan)
{
    if (m_job.running()) {
        m_waiting = plan;
        return;
    }
    if (m_prediction && m_seconds < m_syncBelow && modelKeyOf(plan) == m_modelKey)
        take(compute(plan, m_prediction, m_modelKey, m_batches(plan)));
    else
        start(plan);
}

void Predictor::start(const Plan& plan)
{
    m_job.start([plan, last = m_prediction, key = m_modelKey,
                    batches = m_batches(plan)] { return compute(plan, last, key, batches); },
        [this](Answer answer) {
            if (m_waiting) {
                const Plan next = *std::exchange(m_waiting, std::nullopt);
                m_seconds = answer.seconds;
                start(next); // the late result is dropped: the plan is another by now
                return;
            }
            take(std::move(answer));
            emit busyChanged(false);
        });
    emit busyChanged(true);
}

void Predictor::take(Answer answer)
{
    m_seconds = answer.seconds;
    m_error.clear();
    if (answer.prediction) {
        m_prediction = std::make_shared<const Prediction>(std::move(*answer.prediction));
        m_modelKey = std::move(answer.modelKey);
    } else {
        m_error = QString::fromStdString(answer.prediction.error().message);
    }
    emit predicted();
}

} // namespace stageloom
