// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_comparison.h"

#include "ui/runs/run_readers.h"

namespace stageloom {

namespace {

QString sentenceOf(const Error& error)
{
    return QString::fromStdString(error.message);
}

} // namespace

QString titleOf(RunMetric metric)
{
    switch (metric) {
    case RunMetric::Loss:
        return RunComparison::tr("Loss");
    case RunMetric::Validation:
        return RunComparison::tr("Validation loss");
    case RunMetric::Rate:
        return RunComparison::tr("Tokens per second");
    case RunMetric::GradientNorm:
        return RunComparison::tr("Gradient norm");
    case RunMetric::LearningRate:
        return RunComparison::tr("Learning rate");
    case RunMetric::Memory:
        return RunComparison::tr("Memory");
    }
    return {};
}

QString axisTitleOf(RunMetric metric)
{
    switch (metric) {
    case RunMetric::Loss:
    case RunMetric::Validation:
        return RunComparison::tr("%1, nats per token").arg(titleOf(metric));
    case RunMetric::Memory:
        return RunComparison::tr("Memory, MiB");
    default:
        return titleOf(metric); // the name is its unit, or it has none
    }
}

double scaleOf(RunMetric metric)
{
    return metric == RunMetric::Memory ? 0x1p-20 : 1;
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

bool RunComparison::isBusy() const
{
    return m_curveJob.running() || m_planJob.running() || m_traceJob.running()
        || m_detailJob.running() || m_requestJob.running() || m_exportJob.running();
}

void RunComparison::loadCurves(std::vector<RunId> ids, RunMetric metric)
{
    ids.resize(std::min(ids.size(), kMaxCurves));
    m_curveJob.start([store = m_store, ids, metric] { return readCurves(store, ids, metric); },
        [this](Result<std::vector<RunCurve>> curves) {
            if (!curves) {
                emit failed(sentenceOf(curves.error()));
                return;
            }
            m_curves = std::move(*curves);
            emit curvesLoaded();
        });
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
    m_traceJob.start([store = m_store, base, other] { return readTraces(store, base, other); },
        [this](Result<RunTraces> traces) {
            if (!traces) {
                emit tracesFailed(sentenceOf(traces.error()));
                return;
            }
            m_traces = std::move(*traces);
            emit tracesLoaded();
        });
}

void RunComparison::loadDetails(RunId id)
{
    m_detailJob.start([store = m_store, id] { return readDetails(store, id); },
        [this](Result<RunDetails> details) {
            if (!details) {
                emit failed(sentenceOf(details.error()));
                return;
            }
            m_details = std::move(*details);
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
    m_exportJob.start(
        [store = m_store, ids, form, path = file.toStdString()] {
            return writeExport(store, ids, form, path);
        },
        [this, file](const Status& written) {
            if (!written)
                emit failed(sentenceOf(written.error()));
            else
                emit exported(file);
        });
}

} // namespace stageloom
