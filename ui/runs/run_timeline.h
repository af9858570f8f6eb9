// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/sim/trace.h"
#include "ui/runs/run_comparison.h"
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <filesystem>
#include <memory>

namespace stageloom {

// What one run measured, whole, and what its own plan foresaw of its first batches.
struct RunTimelineParts {
    Trace run; // no spans: none were recorded
    Trace plan; // on the run's clock; no spans: not known
    QStringList devices; // names
    QString planProblem; // why there is no prediction; empty where there is one
    int firstBatch = 0, lastBatch = -1; // of the run
};

// Reads the whole trace of one run in the thread pool. Another run, or stop(), ends the reading
// that goes on; its result is dropped however late it comes.
class RunTimeline : public QObject {
    Q_OBJECT
public:
    enum class State { None, Reading, Ready, Empty, Stopped, Failed };
    explicit RunTimeline(std::filesystem::path store, QObject* parent = nullptr);
    ~RunTimeline() override;

    void load(RunId id);
    void stop(); // what is read so far is dropped
    void clear();
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] RunId id() const { return m_id; }
    [[nodiscard]] bool isBusy() const { return m_state == State::Reading; }
    [[nodiscard]] const QString& problem() const { return m_problem; } // of Failed
    // Spans read of all; {0, 0} before it is known.
    [[nodiscard]] std::pair<std::size_t, std::size_t> progress() const;
    [[nodiscard]] RunTimelineParts takeParts() { return std::move(m_parts); } // of Ready, once

signals:
    void stateChanged();
    void progressed(); // some times a second, while it reads

private:
    void end(); // of the reading that goes on
    void become(State state);

    std::filesystem::path m_store;
    RunId m_id;
    State m_state = State::None;
    QString m_problem;
    RunTimelineParts m_parts;
    std::shared_ptr<TraceReading> m_reading;
    LatestJob<std::shared_ptr<Result<RunTimelineParts>>> m_job; // shared: a trace is moved once
    QTimer m_look;
};

} // namespace stageloom
