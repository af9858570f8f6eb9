// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_follow.h"
#include "app/commands/command.h"
#include "app/commands/interrupts.h"
#include "app/commands/run_print.h"
#include "app/commands/run_progress.h"
#include "core/base/units.h"
#include "core/store/run_folder.h"
#include "engine/client/run_watch.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace stageloom {

namespace {

using namespace std::chrono_literals;
constexpr auto kLook = 50ms; // how soon Ctrl-C is noticed
constexpr auto kStoreLook = 500ms; // how often the store is asked for steps that were missed
constexpr auto kEndTimeout = 5s; // from the engine's end to its last row

// Hands what the watch's thread hears to the following thread.
struct Inbox : RunListener {
    void onMetrics(const MetricPoint& point) override
    {
        const std::lock_guard lock(mutex);
        points.push_back(point);
        heard.notify_all();
    }
    void onSpans(const std::vector<Span>&) override { }
    void onLog(const LogLine& line) override
    {
        const std::lock_guard lock(mutex);
        log.push_back(line);
        heard.notify_all();
    }
    void onStatus(const RunStatus& status) override
    {
        const std::lock_guard lock(mutex);
        engine = status.pid;
        silence = 0;
        heard.notify_all();
    }
    void onSilence(double seconds) override
    {
        const std::lock_guard lock(mutex);
        silence = seconds;
        heard.notify_all();
    }
    void onEnded(RunState state, const std::string& words) override
    {
        const std::lock_guard lock(mutex);
        ended = true;
        endState = state;
        lastWords = words;
        heard.notify_all();
    }
    std::mutex mutex; // guards all below
    std::condition_variable heard;
    std::vector<MetricPoint> points;
    std::vector<LogLine> log;
    int engine = 0; // its process
    double silence = 0; // seconds since it was heard, once that is long
    bool ended = false;
    RunState endState = RunState::Running;
    std::string lastWords;
};

class Follower {
public:
    Follower(Database& database, RunRow row, const FollowOptions& options)
        : m_database(database)
        , m_row(std::move(row))
        , m_options(options)
        , m_progress(options.json, m_row.plannedSteps)
    {
    }
    Result<RunRow> run();

private:
    void takeIn();
    void takeIn(const MetricPoint& point);
    void tellEvaluations(std::int64_t step);
    void tellSilence(double seconds, int engine);
    void printInOrder(bool all);
    void readStore();
    bool handleInterrupts(); // false: stop following
    Result<RunRow> finalRow();
    Result<RunRow> outcome(const RunRow& row);

    Database& m_database;
    RunRow m_row;
    const FollowOptions& m_options;
    RunProgress m_progress;
    InterruptCounter m_interrupts;
    int m_handled = 0;
    bool m_toldSilence = false;
    std::shared_ptr<Inbox> m_inbox = std::make_shared<Inbox>();
    std::map<std::int64_t, MetricPoint> m_waiting; // steps that came before an earlier one
    std::map<std::int64_t, double> m_evaluations; // validation losses, told ones too
    std::int64_t m_printed = 0; // steps
    std::int64_t m_evaluated = -1; // the newest step whose validation loss was told
    std::chrono::steady_clock::time_point m_storeRead {};
};

void Follower::takeIn()
{
    std::vector<MetricPoint> points;
    std::vector<LogLine> log;
    double silence = 0;
    int engine = 0;
    {
        std::unique_lock lock(m_inbox->mutex);
        m_inbox->heard.wait_for(lock, kLook,
            [this] { return m_inbox->ended || !m_inbox->points.empty() || !m_inbox->log.empty(); });
        points.swap(m_inbox->points);
        log.swap(m_inbox->log);
        silence = m_inbox->silence;
        engine = m_inbox->engine;
    }
    tellSilence(silence, engine);
    for (const LogLine& line : log)
        if (line.level != "info")
            m_progress.note(line.level + ": " + line.text);
    for (const MetricPoint& point : points)
        takeIn(point);
}

// An evaluation is a point of its own without a loss, of a step that has its own before it.
void Follower::takeIn(const MetricPoint& point)
{
    if (!std::isnan(point.validationLoss))
        m_evaluations.emplace(point.step, point.validationLoss);
    if (std::isnan(point.validationLoss) || !std::isnan(point.loss))
        m_waiting.emplace(point.step, point);
}

// Once when the engine falls silent, once when it is heard again.
void Follower::tellSilence(double seconds, int engine)
{
    if ((seconds > 0) == m_toldSilence)
        return;
    m_toldSilence = seconds > 0;
    m_progress.note(m_toldSilence
            ? fmt::format("warning: nothing was heard from the engine of run {} for {}: its "
                          "process {} stands still, or the machine swaps; `kill -CONT {}` lets a "
                          "stopped process go on",
                m_row.id.value, formatSeconds(seconds), engine, engine)
            : fmt::format("notice: the engine of run {} is heard again", m_row.id.value));
}

// Steps in order and each once; `all`: also behind a gap that nothing will fill any more.
void Follower::printInOrder(bool all)
{
    while (!m_waiting.empty()) {
        const auto first = m_waiting.begin();
        if (first->first > m_printed) {
            if (first->first > m_printed + 1 && !all)
                return;
            m_progress.show(first->second);
            if (m_options.onPoint)
                m_options.onPoint(first->second);
            m_printed = first->first;
        }
        m_waiting.erase(first);
        tellEvaluations(m_printed);
    }
    tellEvaluations(m_printed);
}

// Up to a step, each once and behind its step.
void Follower::tellEvaluations(std::int64_t step)
{
    for (auto it = m_evaluations.upper_bound(m_evaluated);
         it != m_evaluations.end() && it->first <= step; ++it) {
        m_progress.showValidation(it->first, it->second);
        m_evaluated = it->first;
    }
}

void Follower::readStore()
{
    m_storeRead = std::chrono::steady_clock::now();
    if (const auto points = MetricStore(m_database).read(m_row.id))
        for (const MetricPoint& point : *points)
            takeIn(point);
}

bool Follower::handleInterrupts()
{
    if (outputFailed())
        return false; // nobody reads; what the run does is kept
    const int count = m_interrupts.count();
    if (count == m_handled)
        return true;
    m_handled = count;
    if (!m_options.interruptStops)
        return false;
    Result<RunControl> control = RunControl::connect(m_row.folder);
    if (!control)
        return true; // it has just ended, which the watch will tell
    m_progress.note(
        count == 1 ? "stopping after this batch; once more stops at once" : "stopping at once");
    const Status asked = count == 1 ? control->stopAfterBatch() : control->stopNow();
    if (!asked)
        m_progress.note(asked.error().message);
    return true;
}

// The row that the engine wrote last; a run whose engine is gone without one is lost.
Result<RunRow> Follower::finalRow()
{
    RunStore store(m_database);
    const auto deadline = std::chrono::steady_clock::now() + kEndTimeout;
    for (;;) {
        Result<RunRow> row = store.get(m_row.id);
        if (!row || row->state != RunState::Running || std::chrono::steady_clock::now() > deadline)
            return row;
        if (lockState(m_row.folder) == LockState::Free)
            static_cast<void>(store.reapLost());
        std::this_thread::sleep_for(kLook);
    }
}

// What the engine said with its end knows more than a store that it may not have reached.
Result<RunRow> Follower::outcome(const RunRow& row)
{
    const auto complete
        = [](RunState state) { return state == RunState::Finished || state == RunState::Stopped; };
    const RunState said = m_inbox->endState; // Running: nothing was heard of an end
    const bool ownWords = row.failure.empty() || complete(said) || said == RunState::Lost
        || (said == RunState::Failed && row.state == RunState::Lost);
    std::string words = ownWords ? m_inbox->lastWords : row.failure;
    std::replace(words.begin(), words.end(), '\n', ' '); // one sentence
    if (complete(row.state)) {
        if (!words.empty())
            m_progress.note("warning: " + words);
        return row;
    }
    if (complete(said))
        return fail(ErrorKind::Io, "run {} {}, but not into its run store: {}", row.id.value,
            toString(said), words);
    if (row.state == RunState::Running)
        return fail(ErrorKind::Io, "run {} can no longer be followed: {}", row.id.value, words);
    return fail(ErrorKind::Io, "run {} {}: {}", row.id.value,
        row.state == RunState::Lost ? "was lost" : "failed",
        words.empty() ? "it left no last words" : words);
}

Result<RunRow> Follower::run()
{
    if (!m_options.fromStart)
        m_printed = m_evaluated = m_row.steps;
    const Result<std::unique_ptr<RunWatch>> watch = RunWatch::attach(m_row.folder, m_inbox);
    for (bool ended = !watch; !ended;) {
        takeIn();
        printInOrder(false);
        if (!m_waiting.empty() && std::chrono::steady_clock::now() - m_storeRead > kStoreLook)
            readStore();
        printInOrder(false);
        if (!handleInterrupts()) {
            m_progress.note(fmt::format("run {} goes on; stop it with: stageloom runs stop {}",
                m_row.id.value, m_row.id.value));
            return RunStore(m_database).get(m_row.id);
        }
        const std::lock_guard lock(m_inbox->mutex);
        ended = m_inbox->ended;
    }
    const Result<RunRow> row = finalRow();
    takeIn();
    readStore();
    printInOrder(true);
    m_progress.finish();
    return row ? outcome(*row) : row;
}

Json numberOrNull(const std::optional<double>& value)
{
    return value ? Json(*value) : Json();
}

} // namespace

Result<RunRow> followRun(
    const std::filesystem::path& storeFile, RunId id, const FollowOptions& options)
{
    Result<Database> database = Database::open(storeFile);
    if (!database)
        return failure(database);
    const Result<RunRow> row = RunStore(*database).get(id);
    if (!row)
        return row;
    return Follower(*database, *row, options).run();
}

Json finalDocument(const RunRow& row)
{
    return { { "run", row.id.value }, { "steps", row.steps },
        { "final_loss", numberOrNull(row.finalLoss) },
        { "validation_loss", numberOrNull(row.validationLoss) },
        { "tokens_per_second", numberOrNull(row.tokensPerSecond) },
        { "peak_rss_bytes", numberOrNull(row.peakRssBytes) },
        { "bubble_fraction_predicted", numberOrNull(row.bubblePredicted) },
        { "bubble_fraction_measured", numberOrNull(row.bubbleMeasured) },
        { "state", toString(row.state) } };
}

std::string finalText(const RunRow& row, const RunPrediction& prediction, const std::string& state)
{
    std::string text = fmt::format("run {} {} after {} of {} steps\n", row.id.value,
        state.empty() ? toString(row.state) : state, groupDigits(row.steps),
        groupDigits(row.plannedSteps));
    const auto add = [&text](bool known, const char* label, const std::string& value) {
        if (known)
            text += fmt::format("  {:<16}  {}\n", label, value);
    };
    add(row.finalLoss.has_value(), "loss", lossText(row.finalLoss));
    add(row.validationLoss.has_value(), "validation loss", lossText(row.validationLoss));
    const auto& [step, rate, bubble, memory] = prediction;
    add(step.predicted || step.measured, "step time", secondsText(step));
    add(rate.predicted || rate.measured, "rate", tokenRateText(rate));
    add(bubble.predicted || bubble.measured, "steady bubble", bubbleText(bubble));
    add(memory.predicted || memory.measured, "peak memory", memoryText(memory));
    return text;
}

Status printEnd(const std::filesystem::path& storeFile, const RunRow& row, bool json)
{
    if (json) {
        printText(jsonLine(finalDocument(row)) + "\n");
        return {};
    }
    Result<Database> database = Database::open(storeFile, Database::Mode::WriteIfPossible);
    if (!database)
        return failure(database);
    printText(finalText(row, predictionOf(RunStore(*database), row)));
    return {};
}

} // namespace stageloom
