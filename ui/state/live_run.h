// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/train_request.h"
#include "engine/client/run_launcher.h"
#include "engine/client/run_watch.h"
#include "ui/state/latest_job.h"
#include <QObject>
#include <QTimer>
#include <deque>
#include <filesystem>
#include <memory>

namespace stageloom {

class LiveBuffer;

QString phaseText(const std::string& phase); // of RunStatus, as a person reads it

// One running engine as the window sees it. The watch's thread fills a bounded buffer; it is
// emptied here thirty times a second, so that a fast run never floods the event loop.
class LiveRun : public QObject {
    Q_OBJECT
public:
    explicit LiveRun(QObject* parent = nullptr);
    ~LiveRun() override;

    void launch(const TrainRequest& request, const std::filesystem::path& store);
    // `store`: where the points that came before are read; empty: there are none.
    void attach(const std::filesystem::path& folder, RunId id, const QString& name,
        const std::filesystem::path& store = {});
    void detach(); // the run goes on
    void pause();
    void resume();
    void stopAfterBatch();
    void stopNow();

    [[nodiscard]] bool isActive() const { return m_watch != nullptr || m_launching || m_attaching; }
    [[nodiscard]] bool isLaunching() const { return m_launching; }
    [[nodiscard]] double silence() const { return m_silence; } // seconds; 0: it is heard
    [[nodiscard]] QString endWords() const; // "finished", "stopped"; "not running" before a run
    [[nodiscard]] RunId unreachable() const { return m_unreachable; } // the last that failed
    [[nodiscard]] bool isPaused() const { return m_status.phase == "paused"; }
    [[nodiscard]] RunId id() const { return m_id; }
    [[nodiscard]] QString name() const { return m_name; }
    [[nodiscard]] const RunStatus& status() const { return m_status; }
    [[nodiscard]] const std::vector<MetricPoint>& points() const { return m_points; }
    // What it was started with; empty before the first run, or where its folder cannot be read.
    [[nodiscard]] const std::optional<TrainRequest>& request() const { return m_request; }
    [[nodiscard]] std::shared_ptr<RunListener> listener() const; // what a watch feeds
    // Every command is sent and answered.
    [[nodiscard]] bool isQuiet() const { return m_commands.empty() && !m_commandJob.running(); }
    void drain(); // called by the timer

signals:
    void started(); // attached
    void metricsArrived();
    // What came before: points() begins earlier than it did; the run's first log lines.
    void historyRead(const std::vector<LogLine>& log);
    void spansArrived(const std::vector<Span>& spans); // whole batches, oldest first
    void logArrived(const std::vector<LogLine>& lines);
    void statusChanged();
    void ended(RunState state, const QString& lastWords);
    void failed(const QString& sentence);

private:
    using Command = Status (RunControl::*)();
    struct Attached {
        Result<std::unique_ptr<RunWatch>> watch;
        std::optional<TrainRequest> request;
    };
    struct History {
        std::vector<MetricPoint> points;
        std::vector<LogLine> log;
    };
    void send(Command command);
    void sendNext();
    void take(Attached attached, const std::filesystem::path& store);
    void dismissWatch();

    std::shared_ptr<LiveBuffer> m_buffer;
    std::unique_ptr<RunWatch> m_watch;
    std::filesystem::path m_folder;
    RunId m_id;
    QString m_name;
    RunStatus m_status;
    std::vector<MetricPoint> m_points;
    bool m_launching = false, m_attaching = false;
    RunId m_unreachable;
    std::optional<RunState> m_end;
    int m_historyTries = 0;
    double m_silence = 0;
    // Asked for and not sent yet, in order: one goes out at a time, and none before there is an
    // engine to hear it.
    std::deque<Command> m_commands;
    QTimer m_timer;
    LatestJob<Result<LaunchedRun>> m_launchJob;
    LatestJob<Status> m_commandJob;
    LatestJob<Attached> m_attachJob;
    LatestJob<History> m_historyJob;
    std::optional<TrainRequest> m_request;
    void readHistory(const std::filesystem::path& store);
    void takeHistory(History early, const std::filesystem::path& store);
};

} // namespace stageloom
