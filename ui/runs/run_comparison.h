// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/document_difference.h"
#include "core/plan/train_request.h"
#include "core/sim/gaps.h"
#include "core/sim/trace_comparison.h"
#include "core/store/metric_store.h"
#include "core/store/run_store.h"
#include "ui/plots/curve_plot.h"
#include "ui/state/latest_job.h"
#include <QObject>
#include <QString>
#include <QStringList>
#include <atomic>
#include <filesystem>
#include <memory>

namespace stageloom {

// The metrics that have a plot, in their order.
enum class RunMetric { Loss, Validation, Rate, GradientNorm, Memory, Bubble };
inline constexpr int kRunMetrics = static_cast<int>(RunMetric::Bubble) + 1;
struct MetricInfo {
    RunMetric metric;
    QString title, unit; // of its plot
    QString heading; // of its column in the table below the plots
    double MetricPoint::*member = nullptr; // null: one number a run
    double scale = 1; // from the store's unit to the plot's
    bool fromZero = false; // the axis begins at 0: a difference is not to look larger than it is
    QString (*text)(double value) = nullptr; // for people
};
const std::vector<MetricInfo>& metricInfos();

// All points of a run, grown as it goes on.
struct RunPoints {
    RunId id;
    QString name;
    bool goesOn = false; // when it was read
    std::optional<double> bubblePlanned, bubbleMeasured; // steady, shares
    std::vector<MetricPoint> points;
    // Its values of a metric at full resolution, points from `from` on; each validation is marked.
    [[nodiscard]] Curve series(RunMetric metric, std::size_t from = 0) const;
};

struct PlanComparison {
    std::vector<RunId> ids; // the first one is what the others are compared with
    std::vector<DocumentDifference> plan, request; // every leaf
};

// Two measured traces, whole, and the batches in sight of both on one clock.
struct RunTraces {
    RunId base, other;
    TraceComparison comparison;
    Trace basePart, otherPart;
    QStringList devices; // names; of both runs where they differ
    int firstBatch = 0, lastBatch = -1; // of the parts; last < first: nothing to show
    TraceEnds baseEnds = TraceEnds::Whole, otherEnds = TraceEnds::Whole; // of the parts
};

struct RunDetails {
    RunRow row;
    Json plan, request, environment;
    std::vector<LogLine> log;
};

// How far traces are read, an export is written. The working thread counts, the window sets `stop`.
struct TraceReading {
    std::atomic<std::size_t> done { 0 }, all { 0 }; // spans
    std::atomic<bool> stop { false };
};
struct ExportWriting {
    std::atomic<std::size_t> bytes { 0 };
    std::atomic<bool> stop { false };
};

enum class ExportForm { Numbers, Record, ChromeTrace }; // CSV, JSON, JSON

// What is read of the chosen runs: in the thread pool, a connection a job, late answers dropped.
class RunComparison : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kMaxCurves = 100;
    // Spans that the difference timeline shows of each run at most; statistics are over all.
    static constexpr std::size_t kMaxSpans = 20'000;
    explicit RunComparison(std::filesystem::path store, QObject* parent = nullptr);

    // Of a run that is known only what is new since; nothing of one that had ended by then.
    void loadCurves(std::vector<RunId> ids);
    void loadPlans(std::vector<RunId> ids);
    void loadTraces(RunId base, RunId other);
    void stopTraces();
    [[nodiscard]] bool readsTraces() const { return m_traceJob.running(); }
    [[nodiscard]] std::pair<std::size_t, std::size_t> traceProgress() const; // spans, of all
    void loadDetails(RunId id); // of the run that is known only what is new
    void loadRequest(RunId id);
    void exportRuns(const std::vector<RunId>& ids, ExportForm form, const QString& file);
    void stopExport(); // the file stays as it was
    [[nodiscard]] std::size_t exportedBytes() const; // of the export that goes on
    [[nodiscard]] bool isBusy() const;

    [[nodiscard]] const std::vector<RunPoints>& curves() const { return m_curves; } // as asked
    [[nodiscard]] const PlanComparison& plans() const { return m_plans; }
    [[nodiscard]] const RunTraces& traces() const { return m_traces; }
    [[nodiscard]] const RunDetails& details() const { return m_details; }

signals:
    void curvesLoaded();
    void plansLoaded();
    void tracesLoaded();
    void tracesFailed(const QString& sentence);
    void detailsLoaded();
    void requestLoaded(const stageloom::TrainRequest& request);
    void exported(const QString& file);
    void exportStopped();
    void failed(const QString& sentence);

private:
    void takeCurves(const std::vector<RunId>& ids, std::vector<RunPoints> read);
    std::filesystem::path m_store;
    std::vector<RunPoints> m_curves;
    std::shared_ptr<TraceReading> m_traceReading;
    std::shared_ptr<ExportWriting> m_exportWriting;
    PlanComparison m_plans;
    RunTraces m_traces;
    RunDetails m_details;
    LatestJob<Result<std::vector<RunPoints>>> m_curveJob;
    LatestJob<Result<PlanComparison>> m_planJob;
    LatestJob<Result<RunTraces>> m_traceJob;
    LatestJob<Result<RunDetails>> m_detailJob;
    LatestJob<Result<TrainRequest>> m_requestJob;
    LatestJob<Status> m_exportJob;
};

} // namespace stageloom
