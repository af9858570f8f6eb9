// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "ui/state/latest_job.h"
#include <QObject>
#include <QThreadPool>
#include <functional>

namespace stageloom {

// Measures a model's layers in an engine process, off the window's thread. One measurement at a
// time; a cancelled or overtaken one says nothing more.
class LayerProfiling : public QObject {
    Q_OBJECT
public:
    // Takes a plan and a listener of fractions that says whether to go on; blocks.
    using Measure
        = std::function<Result<Profile>(const Plan& plan, std::function<bool(double)> progress)>;
    explicit LayerProfiling(QObject* parent = nullptr); // measures with the engine
    explicit LayerProfiling(Measure measure, QObject* parent = nullptr);
    ~LayerProfiling() override; // cancels, and waits for the engine's end (0.1 s as a rule)

    void start(const Plan& plan);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_job.running(); }
    [[nodiscard]] double fraction() const; // of the running one; 0: none

signals:
    void stateChanged(); // started, moved on, cancelled or ended
    void measured(const stageloom::Plan& plan, const stageloom::Profile& profile);
    void failed(const QString& sentence);

private:
    Measure m_measure;
    QThreadPool m_thread; // its own: a measurement takes long, predictions must not wait for it
    LatestJob<Result<Profile>> m_job; // after the pool, which waits for it in the end
};

// The smallest plan that says what to measure: one stage on one CPU worker.
Plan planToMeasure(const Model& model, const QString& source);

} // namespace stageloom
