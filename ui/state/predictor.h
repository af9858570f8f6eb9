// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/prediction.h"
#include "ui/state/latest_job.h"
#include <QObject>
#include <functional>
#include <memory>
#include <optional>

namespace stageloom {

// Predicts the newest plan asked for. One that by its size takes only a part of a frame is computed
// at once, so that everything follows the hand; a larger one goes to the thread pool, one at a
// time, and the newest plan waits for it. While the hand moves, each result is shown as it comes.
class Predictor : public QObject {
    Q_OBJECT
public:
    using Shared = std::shared_ptr<const Prediction>;
    static constexpr int kBatches = 4; // enough for a steady state on screen
    // How many batches the prediction of a plan holds.
    using Batches = std::function<int(const Plan&)>;
    explicit Predictor(
        Batches batches = [](const Plan&) { return kBatches; }, QObject* parent = nullptr);

    void request(const Plan& plan);
    // Another document: nothing of the one before is shown any more, also not what is on its way.
    void forget();
    // What a prediction on the window's thread may take at most.
    void setSynchronousBelow(double seconds) { m_syncBelow = seconds; }
    // Null: there is none; error() says why where it is known.
    [[nodiscard]] Shared prediction() const { return m_prediction; }
    [[nodiscard]] const Plan& plan() const { return m_plan; } // that prediction() or error() is of
    [[nodiscard]] QString error() const { return m_error; } // empty: the prediction holds
    [[nodiscard]] bool isBusy() const
    {
        return m_job.running() || m_waiting.has_value(); // a newer one is on its way
    }
    [[nodiscard]] double seconds() const { return m_seconds; } // the last one took

signals:
    void predicted(); // prediction(), plan() or error() is new
    void busyChanged(bool busy);

private:
    struct Answer {
        Plan plan;
        Result<Prediction> prediction = fail(ErrorKind::Internal, "nothing predicted");
        double seconds = 0;
        std::string modelKey;
        bool modelWasRead = false;
    };
    static Answer compute(
        const Plan& plan, const Shared& last, const std::string& key, int batches);
    void start(const Plan& plan);
    void take(Answer answer);
    [[nodiscard]] double estimate(const Plan& plan) const; // seconds

    Batches m_batches;
    LatestJob<Answer> m_job;
    std::optional<Plan> m_waiting;
    Shared m_prediction;
    Plan m_plan;
    QString m_error;
    Shared m_model; // the last prediction that there was: its model is not read again
    std::string m_modelKey; // of that model
    bool m_forgotten = false; // and not yet told
    double m_seconds = 0, m_syncBelow = 0.004;
    // A simulated action, as measured; before that, what a slow machine takes.
    double m_secondsPerAction = 5e-6;
};

} // namespace stageloom
