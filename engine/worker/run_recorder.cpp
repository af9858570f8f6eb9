// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/run_recorder.h"

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/store/trace_store.h"
#include "engine/worker/environment.h"
#include <cmath>
#include <cstdio>
#include <limits>

namespace stageloom::engine {

namespace {
constexpr std::chrono::seconds kPostEvery { 1 };
constexpr std::size_t kSpanBlock = 4096;
constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// The failure, and what of the run is not kept where it belongs.
std::string lastWordsOf(const std::string& failure, std::int64_t skipped, const Status& written,
    const StoreWriter& store)
{
    std::vector<std::string> words;
    if (!failure.empty())
        words.push_back(failure);
    else if (skipped > 0)
        words.push_back(fmt::format("{} of the run's batches changed no weight, because a loss or "
                                    "gradient was not a finite number.",
            groupDigits(skipped)));
    if (!written)
        words.push_back(written.error().message);
    if (const auto dropped = std::int64_t(store.droppedItems()); dropped > 0)
        words.push_back(fmt::format("{} spans of the timeline were given up while the run store "
                                    "could not be written.",
            groupDigits(dropped)));
    return joined(words, " ");
}

// One action of the run: a stage does one at a time.
std::pair<int, double> keyOf(const Span& span)
{
    return { span.stage, span.start };
}
}

RunLog::RunLog(RunId run, StoreWriter& store, ControlServer& server)
    : m_run(run)
    , m_store(store)
    , m_server(server)
{
    m_store.listen([this](const StoreNotice& notice) {
        write(notice.kind == StoreNotice::Kind::Recovered ? "notice" : "warning", notice.text);
    });
}

RunLog::~RunLog()
{
    m_store.listen({});
}

double RunLog::seconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
}

void RunLog::write(const std::string& level, const std::string& text)
{
    LogLine line { seconds(), level, text };
    m_store.post([run = m_run, line](
                     Database& database) { return RunStore(database).appendLog(run, line); });
    // A full disk costs this line and no more: fmt::print would throw, on the store's own thread
    // too.
    static_cast<void>(std::fputs(fmt::format("{}: {}\n", level, text).c_str(), stderr));
    m_server.broadcast(std::move(line));
}

RunRecorder::RunRecorder(
    RecorderSetup setup, StoreWriter& store, ControlServer& server, Steering& steering, RunLog& log)
    : m_setup(std::move(setup))
    , m_store(store)
    , m_server(server)
    , m_steering(steering)
    , m_log(log)
    , m_rate(m_setup.tokensPerBatch)
    , m_bubble(m_setup.devices, m_setup.stages, m_setup.microbatches)
    , m_held(static_cast<std::size_t>(m_setup.devices))
{
    m_summary.bubblePredicted = m_setup.bubblePredicted;
    m_store.post([s = m_setup](Database& database) {
        return TraceStore(database).begin(s.run, s.devices, s.stages, s.microbatches);
    });
}

void RunRecorder::report(RunReport report)
{
    if (auto* done = std::get_if<BatchReport>(&report))
        batch(*done);
    else if (const auto* evaluation = std::get_if<EvaluationReport>(&report))
        evaluated(*evaluation);
    else if (const auto* hold = std::get_if<HoldReport>(&report))
        held(*hold);
    else
        live(std::get<LiveSpans>(report));
    flush(false);
}

void RunRecorder::held(const HoldReport& report)
{
    m_held[static_cast<std::size_t>(report.worker)].add({ report.start, report.end });
    m_bubble.addHold({ report.start, report.end });
}

// Seconds of training until then: what a worker held is lost to its share of the pipeline only.
double RunRecorder::trained(double time) const
{
    double held = 0;
    for (const HeldTime& worker : m_held)
        held += worker.before(time);
    return time - held / static_cast<double>(m_held.size());
}

void RunRecorder::idle()
{
    if (!m_points.empty() || !m_spans.empty())
        flush(false);
    const RunStatus status = m_steering.status();
    if (status.phase != std::exchange(m_phase, status.phase))
        m_server.broadcast(status);
}

void RunRecorder::rate(const BatchReport& report, MetricPoint& point)
{
    m_rate.add(trained(report.time));
    point.tokensPerSecond = m_rate.recent();
    const double mean = m_rate.mean();
    m_summary.tokensPerSecond = mean;
    const double left
        = mean > 0 ? double(m_setup.steps - report.step) * m_setup.tokensPerBatch / mean : 0;
    m_steering.progress(report.step, report.loss, point.tokensPerSecond, left);
}

void RunRecorder::batch(BatchReport& report)
{
    MetricPoint point;
    point.step = report.step;
    point.time = report.time;
    point.loss = report.loss;
    point.validationLoss = kNotMeasured;
    point.gradNorm = report.gradNorm;
    point.learningRate = report.learningRate;
    point.rssBytes = residentBytes();
    point.tokens = m_setup.tokensPerBatch * double(report.step);
    rate(report, point);
    m_summary.steps = report.step;
    m_summary.finalLoss = report.loss;
    skipped(report);
    m_phase.clear();
    m_bubble.add(report.spans);
    m_points.push_back(point);
    m_last = point;
    m_spans.insert(m_spans.end(), report.spans.begin(), report.spans.end());
    m_server.broadcast(point);
    // Who came in the middle of the batch has not heard of its beginning.
    std::erase_if(report.spans, [this](const Span& span) { return m_sent.erase(keyOf(span)) > 0; });
    if (!report.spans.empty() && m_server.subscribers() > 0)
        m_server.broadcast(
            SpansEvent { static_cast<int>(report.step - 1), std::move(report.spans) });
    m_server.broadcast(m_steering.status());
}

void RunRecorder::live(LiveSpans& report)
{
    for (const Span& span : report.spans)
        m_sent.insert(keyOf(span));
    const int batch = report.spans.front().batch;
    m_server.broadcast(SpansEvent { batch, std::move(report.spans) });
}

// Tells of the first and of the end of a row.
void RunRecorder::skipped(const BatchReport& report)
{
    const auto broken = [&] {
        return fmt::format("{} on stage {} is not a finite number",
            report.lossFinite ? "the gradient" : "the loss", report.brokenStage);
    };
    if (report.wholeSkipped && m_skippedInRow == 0)
        m_log.write("warning",
            fmt::format("Batch {} changes no weight: {}; a lower learning rate, a longer warm-up "
                        "or gradient clipping helps.",
                report.step, broken()));
    else if (!report.wholeSkipped && report.skipped > 0)
        m_log.write("warning",
            fmt::format(
                "{} updates of batch {} are left out: {}.", report.skipped, report.step, broken()));
    else if (!report.wholeSkipped && m_skippedInRow > 1)
        m_log.write("notice",
            fmt::format("{} batches in a row changed no weight; batch {} is learnt from again.",
                m_skippedInRow, report.step));
    m_skipped += report.wholeSkipped ? 1 : 0;
    m_skippedInRow = report.wholeSkipped ? m_skippedInRow + 1 : 0;
}

// The batch's own point again, with what is measured of it now.
void RunRecorder::evaluated(const EvaluationReport& report)
{
    STAGELOOM_CHECK(m_last.step == report.step, "an evaluation comes right after its batch");
    MetricPoint point = m_last;
    point.validationLoss = report.loss;
    m_summary.validationLoss = report.loss;
    if (!m_points.empty() && m_points.back().step == point.step)
        m_points.back() = point;
    else
        m_points.push_back(point); // the one before is on disk: readers take the later for the step
    m_server.broadcast(point);
    m_log.write("info",
        fmt::format("Validation loss {:.4f} after step {} (weight version {}).", report.loss,
            report.step, report.version));
}

void RunRecorder::flush(bool force)
{
    const bool due = Clock::now() - m_posted >= kPostEvery || m_spans.size() >= kSpanBlock;
    if (!force && !due)
        return;
    m_posted = Clock::now();
    m_summary.peakRssBytes = peakResidentBytes();
    m_store.post([run = m_setup.run, points = std::move(m_points), summary = m_summary](
                     Database& database) -> Status {
        if (!points.empty()) {
            if (Status done = MetricStore(database).append(run, points); !done)
                return done;
        }
        return RunStore(database).update(run, summary);
    });
    const std::size_t spans = m_spans.size();
    if (spans > 0)
        m_store.postDroppable(
            [run = m_setup.run, kept = std::move(m_spans)](
                Database& database) { return TraceStore(database).append(run, kept); },
            spans);
    m_points.clear();
    m_spans.clear();
}

Status RunRecorder::finish(RunState state, const std::string& failure)
{
    m_summary.bubbleMeasured = m_bubble.bubbleFraction();
    if (!failure.empty())
        m_log.write("error", failure);
    flush(true);
    m_store.post([run = m_setup.run, state, summary = m_summary, failure](Database& database) {
        return RunStore(database).finish(run, state, summary, failure);
    });
    const Status written = m_store.settle(m_setup.settleLimit);
    m_server.broadcast(m_steering.status());
    m_server.broadcast(EndedEvent { state, lastWordsOf(failure, m_skipped, written, m_store) });
    return written;
}

} // namespace stageloom::engine
