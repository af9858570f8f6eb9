// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_comparison.h"

#include "core/base/units.h"
#include "ui/runs/run_readers.h"
#include <algorithm>
#include <cmath>
#include <set>

namespace stageloom {

namespace {

QString sentenceOf(const Error& error)
{
    return QString::fromStdString(error.message);
}

} // namespace

const std::vector<MetricInfo>& metricInfos()
{
    const auto loss = [](double v) { return QString::number(v, 'f', 3); };
    const auto whole
        = [](double v) { return QString::fromStdString(groupDigits(std::llround(v))); };
    static const std::vector<MetricInfo> infos {
        { RunMetric::Loss, RunComparison::tr("Loss"), RunComparison::tr("nats per token"),
            RunComparison::tr("Loss"), &MetricPoint::loss, 1, false, loss },
        { RunMetric::Validation, RunComparison::tr("Validation loss"),
            RunComparison::tr("nats per token"), RunComparison::tr("Validation"),
            &MetricPoint::validationLoss, 1, false, loss },
        { RunMetric::Rate, RunComparison::tr("Tokens per second"), RunComparison::tr("from 0"),
            RunComparison::tr("Tokens/s"), &MetricPoint::tokensPerSecond, 1, true, whole },
        { RunMetric::GradientNorm, RunComparison::tr("Gradient norm"),
            RunComparison::tr("before clipping"), RunComparison::tr("Gradient"),
            &MetricPoint::gradNorm, 1, true, [](double v) { return QString::number(v, 'f', 2); } },
        { RunMetric::Memory, RunComparison::tr("Memory"), RunComparison::tr("MiB, of the engine"),
            RunComparison::tr("Memory, MiB"), &MetricPoint::rssBytes, 0x1p-20, true, whole },
        { RunMetric::Bubble, RunComparison::tr("Steady bubble"),
            RunComparison::tr("%, whole run · dashed: planned"), RunComparison::tr("Bubble, %"),
            nullptr, 100, true, [](double v) { return QString::number(v, 'f', 1); } },
    };
    return infos;
}

RunComparison::RunComparison(std::filesystem::path store, QObject* parent)
    : QObject(parent)
    , m_store(std::move(store))
    , m_curveJob(this)
    , m_planJob(this)
    , m_traceJob(this)
    , m_detailJob(this)
    , m_requestJob(this)
    , m_exportJob(this)
{
}

Curve RunPoints::series(RunMetric metric, std::size_t from) const
{
    const MetricInfo& info = metricInfos()[static_cast<std::size_t>(metric)];
    Curve series;
    const auto add = [&](const MetricPoint& point, double value) {
        if (std::isnan(value))
            return;
        series.steps.push_back(static_cast<double>(point.step));
        series.tokens.push_back(point.tokens);
        series.seconds.push_back(point.time);
        series.values.push_back(value * info.scale);
    };
    if (info.member != nullptr)
        for (std::size_t i = from; i < points.size(); ++i)
            add(points[i], points[i].*info.member);
    else if (bubbleMeasured && !points.empty()) // a line from the first point to the last
        for (const std::size_t i : std::set { std::size_t(0), points.size() - 1 })
            if (i >= from)
                add(points[i], *bubbleMeasured);
    if (metric == RunMetric::Validation) {
        series.markerSteps = series.steps;
        series.markerTokens = series.tokens;
        series.markerSeconds = series.seconds;
        series.markerValues = series.values;
    }
    if (info.member == nullptr && bubblePlanned)
        series.planned = *bubblePlanned * info.scale;
    return series;
}

bool RunComparison::isBusy() const
{
    return m_curveJob.running() || m_planJob.running() || m_traceJob.running()
        || m_detailJob.running() || m_requestJob.running() || m_exportJob.running();
}

void RunComparison::loadCurves(std::vector<RunId> ids)
{
    ids.resize(std::min(ids.size(), kMaxCurves));
    std::vector<KnownPoints> asked;
    for (const RunId id : ids) {
        const auto known = std::ranges::find(m_curves, id, &RunPoints::id);
        if (known == m_curves.end())
            asked.push_back({ id, 0 });
        else if (known->goesOn)
            asked.push_back({ id, known->points.empty() ? 0 : known->points.back().step });
    }
    m_curveJob.start([store = m_store, asked] { return readPoints(store, asked); },
        [this, ids](Result<std::vector<RunPoints>> read) {
            if (!read) {
                emit failed(sentenceOf(read.error()));
                return;
            }
            takeCurves(ids, std::move(*read));
            emit curvesLoaded();
        });
}

void RunComparison::takeCurves(const std::vector<RunId>& ids, std::vector<RunPoints> read)
{
    std::vector<RunPoints> curves;
    for (const RunId id : ids) {
        const auto known = std::ranges::find(m_curves, id, &RunPoints::id);
        const auto fresh = std::ranges::find(read, id, &RunPoints::id);
        if (fresh == read.end()) {
            if (known != m_curves.end())
                curves.push_back(std::move(*known));
            continue;
        }
        if (known != m_curves.end()) { // the last step known comes again, with its evaluation
            std::vector<MetricPoint> points = std::move(known->points);
            while (!points.empty() && !fresh->points.empty()
                && points.back().step >= fresh->points.front().step)
                points.pop_back();
            points.insert(points.end(), fresh->points.begin(), fresh->points.end());
            fresh->points = std::move(points);
        }
        curves.push_back(std::move(*fresh));
    }
    m_curves = std::move(curves);
}

void RunComparison::loadPlans(std::vector<RunId> ids)
{
    m_planJob.start([store = m_store, ids = std::move(ids)] { return readPlans(store, ids); },
        [this](Result<PlanComparison> plans) {
            if (!plans) {
                emit failed(sentenceOf(plans.error()));
                return;
            }
            m_plans = std::move(*plans);
            emit plansLoaded();
        });
}

void RunComparison::loadTraces(RunId base, RunId other)
{
    stopTraces();
    m_traceReading = std::make_shared<TraceReading>();
    m_traceJob.start(
        [store = m_store, base, other, reading = m_traceReading] {
            return readTraces(store, base, other, *reading);
        },
        [this](Result<RunTraces> traces) {
            if (!traces) {
                emit tracesFailed(sentenceOf(traces.error()));
                return;
            }
            m_traces = std::move(*traces);
            emit tracesLoaded();
        });
}

void RunComparison::stopTraces()
{
    if (m_traceReading)
        m_traceReading->stop = true;
    m_traceJob.drop();
}

std::pair<std::size_t, std::size_t> RunComparison::traceProgress() const
{
    if (!m_traceReading)
        return {};
    return { m_traceReading->done.load(), m_traceReading->all.load() };
}

void RunComparison::loadDetails(RunId id)
{
    const bool known = m_details.row.id == id;
    const std::optional<std::size_t> lines
        = known ? std::optional(m_details.log.size()) : std::nullopt;
    m_detailJob.start([store = m_store, id, lines] { return readDetails(store, id, lines); },
        [this, known](Result<RunDetails> details) {
            if (!details) {
                emit failed(sentenceOf(details.error()));
                return;
            }
            if (known) {
                m_details.row = details->row;
                m_details.log.insert(m_details.log.end(), details->log.begin(), details->log.end());
            } else {
                m_details = std::move(*details);
            }
            emit detailsLoaded();
        });
}

void RunComparison::loadRequest(RunId id)
{
    m_requestJob.start([store = m_store, id] { return readRequest(store, id); },
        [this](const Result<TrainRequest>& request) {
            if (!request)
                emit failed(sentenceOf(request.error()));
            else
                emit requestLoaded(*request);
        });
}

void RunComparison::exportRuns(const std::vector<RunId>& ids, ExportForm form, const QString& file)
{
    stopExport();
    m_exportWriting = std::make_shared<ExportWriting>();
    m_exportJob.start(
        [store = m_store, ids, form, path = file.toStdString(), writing = m_exportWriting] {
            return writeExport(store, ids, form, path, *writing);
        },
        [this, file](const Status& written) {
            if (!written)
                emit failed(sentenceOf(written.error()));
            else
                emit exported(file);
        });
}

void RunComparison::stopExport()
{
    if (m_exportWriting)
        m_exportWriting->stop = true;
    if (!m_exportJob.running())
        return;
    m_exportJob.drop();
    emit exportStopped();
}

std::size_t RunComparison::exportedBytes() const
{
    return m_exportWriting ? m_exportWriting->bytes.load() : 0;
}

} // namespace stageloom
