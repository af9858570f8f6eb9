// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/document_difference.h"
#include "core/plan/train_request.h"
#include "core/sim/gaps.h"
#include "core/sim/trace_comparison.h"
#include "core/store/run_store.h"
#include "ui/state/latest_job.h"
#include <QObject>
#include <QString>
#include <filesystem>

namespace stageloom {

enum class RunMetric { Loss, Validation, Rate, GradientNorm, LearningRate, Memory };
inline constexpr int kRunMetrics = static_cast<int>(RunMetric::Memory) + 1;
QString titleOf(RunMetric metric);
// What stands at the vertical axis, with the unit; values times scaleOf() are in it.
QString axisTitleOf(RunMetric metric);
double scaleOf(RunMetric metric);

// One run's values of a metric at full resolution, and its validations as markers of the loss.
struct RunCurve {
    RunId id;
    QString name;
    std::vector<double> steps, tokens, seconds, values;
    std::vector<double> markerSteps, markerTokens, markerSeconds, markerValues;
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

enum class ExportForm { Numbers, Record, ChromeTrace }; // CSV, JSON, JSON

// What is read of the chosen runs: in the thread pool, a connection a job, late answers dropped.
class RunComparison : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kMaxCurves = 100;
    // Spans that the difference timeline shows of each run at most; statistics are over all.
    static constexpr std::size_t kMaxSpans = 20'000;
    explicit RunComparison(std::filesystem::path store, QObject* parent = nullptr);

    void loadCurves(std::vector<RunId> ids, RunMetric metric);
    void loadPlans(std::vector<RunId> ids);
    void loadTraces(RunId base, RunId other);
    void loadDetails(RunId id);
    void loadRequest(RunId id);
    void exportRuns(const std::vector<RunId>& ids, ExportForm form, const QString& file);
    [[nodiscard]] bool isBusy() const;

    [[nodiscard]] std::vector<RunCurve> takeCurves() { return std::move(m_curves); }
    [[nodiscard]] const PlanComparison& plans() const { return m_plans; }
    [[nodiscard]] const RunTraces& traces() const { return m_traces; }
    [[nodiscard]] const RunDetails& details() const { return m_details; }

signals:
    void curvesLoaded(); // take them
    void plansLoaded();
    void tracesLoaded();
    void tracesFailed(const QString& sentence);
    void detailsLoaded();
    void requestLoaded(const stageloom::TrainRequest& request);
    void exported(const QString& file);
    void failed(const QString& sentence);

private:
    std::filesystem::path m_store;
    std::vector<RunCurve> m_curves;
    PlanComparison m_plans;
    RunTraces m_traces;
    RunDetails m_details;
    LatestJob<Result<std::vector<RunCurve>>> m_curveJob;
    LatestJob<Result<PlanComparison>> m_planJob;
    LatestJob<Result<RunTraces>> m_traceJob;
    LatestJob<Result<RunDetails>> m_detailJob;
    LatestJob<Result<TrainRequest>> m_requestJob;
    LatestJob<Status> m_exportJob;
};

} // namespace stageloom
