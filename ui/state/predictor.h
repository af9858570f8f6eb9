// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/prediction.h"
#include "ui/state/latest_job.h"
#include <QObject>
#include <functional>
#include <memory>
#include <optional>

namespace stageloom {

// Keeps the prediction of the newest plan asked for. A prediction that last took less than a part
// of a frame is computed at once, so that everything follows the hand; a slow one goes to the
// thread pool, at most one at a time, and the newest plan waits for it.
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
    void setSynchronousBelow(double seconds) { m_syncBelow = seconds; }
    [[nodiscard]] Shared prediction() const { return m_prediction; } // null: none
    [[nodiscard]] QString error() const { return m_error; } // empty: the prediction holds
    [[nodiscard]] bool isBusy() const { return m_job.running(); }
    [[nodiscard]] double seconds() const { return m_seconds; } // the last one took

signals:
    void predicted(); // prediction() or error() is new
    void busyChanged(bool busy);

private:
    struct Answer {
        Result<Prediction> prediction = fail(ErrorKind::Internal, "nothing predicted");
        double seconds = 0;
        std::string modelKey;
    };
    static Answer compute(const Plan& plan, const std::shared_ptr<const Prediction>& last,
        const std::string& key, int batches);
    void start(const Plan& plan);
    void take(Answer answer);

    Batches m_batches;
    LatestJob<Answer> m_job;
    std::optional<Plan> m_waiting;
    Shared m_prediction;
    QString m_error;
    std::string m_modelKey; // of the model in m_prediction
    double m_seconds = 1, m_syncBelow = 0.008;
};

} // namespace stageloom
