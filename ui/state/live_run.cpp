// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/live_run.h"

#include "core/store/database.h"
#include "core/store/metric_store.h"
#include "core/store/run_store.h"
#include "ui/state/live_buffer.h"
#include "ui/state/run_fields.h"
#include <QThreadPool>
#include <limits>

namespace stageloom {

namespace {

constexpr int kHistoryTries = 10;
constexpr int kHistoryPause = 500; // ms

// What the run in this folder was started with; none where its folder cannot be read.
std::optional<TrainRequest> readRequest(const std::filesystem::path& folder)
{
    const std::string file = (folder / "request.json").string();
    const Result<Json> document = readJsonFile(file);
    if (!document)
        return std::nullopt;
    Result<TrainRequest> request = trainRequestFromJson(*document, file);
    return request ? std::optional(std::move(*request)) : std::nullopt;
}

} // namespace

QString phaseText(const std::string& phase)
{
    const std::pair<const char*, QString> words[] = {
        { "starting", LiveRun::tr("starting") },
        { "running", LiveRun::tr("running") },
        { "paused", LiveRun::tr("paused") },
        { "evaluating", LiveRun::tr("evaluating") },
        { "stopping", LiveRun::tr("stopping") },
        { "finished", LiveRun::tr("finished") },
    };
    for (const auto& [name, word] : words)
        if (phase == name)
            return word;
    return QString::fromStdString(phase);
}

LiveRun::LiveRun(QObject* parent)
    : QObject(parent)
    , m_buffer(std::make_shared<LiveBuffer>())
    , m_launchJob(this)
    , m_commandJob(this)
    , m_attachJob(this)
    , m_historyJob(this)
{
    m_timer.setInterval(33);
    connect(&m_timer, &QTimer::timeout, this, &LiveRun::drain);
}

LiveRun::~LiveRun()
{
    dismissWatch();
}

std::shared_ptr<RunListener> LiveRun::listener() const
{
    return m_buffer;
}

void LiveRun::launch(const TrainRequest& request, const std::filesystem::path& store)
{
    if (isActive())
        return;
    m_launching = true;
    m_commands.clear();
    m_status = {};
    m_name = QString::fromStdString(request.name);
    m_launchJob.start([request, store] { return launchRun(request, store); },
        [this, name = m_name](Result<LaunchedRun> run) {
            m_launching = false;
            if (run) {
                attach(run->folder, run->id, name);
                return;
            }
            emit failed(QString::fromStdString(run.error().message));
            emit statusChanged();
        });
    emit statusChanged();
}

void LiveRun::attach(const std::filesystem::path& folder, RunId id, const QString& name,
    const std::filesystem::path& store)
{
    dismissWatch();
    m_buffer = std::make_shared<LiveBuffer>();
    m_attaching = true;
    m_folder = folder;
    m_id = id;
    m_name = name;
    m_status = {};
    m_points.clear();
    m_end.reset();
    m_historyTries = 0;
    m_silence = 0;
    m_request.reset();
    m_historyJob.drop();
    m_attachJob.start(
        [folder, buffer = m_buffer] {
            return Attached { RunWatch::attach(folder, buffer), readRequest(folder) };
        },
        [this, store](Attached attached) { take(std::move(attached), store); });
    emit statusChanged();
}

void LiveRun::take(Attached attached, const std::filesystem::path& store)
{
    m_attaching = false;
    if (!attached.watch) {
        m_unreachable = std::exchange(m_id, {});
        m_commands.clear();
        emit failed(QString::fromStdString(attached.watch.error().message));
        emit statusChanged();
        return;
    }
    m_watch = std::move(*attached.watch);
    m_request = std::move(attached.request);
    m_timer.start();
    sendNext();
    emit started();
    if (!store.empty())
        readHistory(store);
}

void LiveRun::readHistory(const std::filesystem::path& store)
{
    const auto work = [store, id = m_id] {
        History history;
        if (Result<Database> database = Database::open(store)) {
            history.points = MetricStore(*database).read(id).value_or(history.points);
            history.log = RunStore(*database).log(id).value_or(history.log);
        }
        return history;
    };
    m_historyJob.start(
        work, [this, store](History early) { takeHistory(std::move(early), store); });
}

void LiveRun::takeHistory(History early, const std::filesystem::path& store)
{
    const std::int64_t from
        = m_points.empty() ? std::numeric_limits<std::int64_t>::max() : m_points.front().step;
    std::erase_if(early.points, [from](const MetricPoint& p) { return p.step >= from; });
    // The engine writes every second or so: what it had not written yet is read again.
    const bool gap = (early.points.empty() ? 0 : early.points.back().step) + 1 < from;
    if (gap && isActive() && m_historyTries++ < kHistoryTries) {
        QTimer::singleShot(kHistoryPause, this, [this, store, id = m_id] {
            if (id == m_id)
                readHistory(store);
        });
        return;
    }
    m_points.insert(m_points.begin(), early.points.begin(), early.points.end());
    emit historyRead(early.log);
}

// Its thread may be waiting for the engine: the pool waits for it, not the window.
void LiveRun::dismissWatch()
{
    if (m_watch)
        QThreadPool::globalInstance()->start(
            [watch = std::shared_ptr<RunWatch>(std::move(m_watch))] {});
}

void LiveRun::detach()
{
    m_timer.stop();
    dismissWatch();
    m_launchJob.drop();
    m_attachJob.drop();
    m_launching = m_attaching = false;
    m_commands.clear();
    emit statusChanged();
}

QString LiveRun::endWords() const
{
    return m_end ? stateWord(*m_end) : tr("not running");
}

void LiveRun::drain()
{
    LiveBuffer::Content content = m_buffer->take();
    if (!content.points.empty()) {
        m_points.insert(m_points.end(), content.points.begin(), content.points.end());
        emit metricsArrived();
    }
    if (!content.spans.empty())
        emit spansArrived(content.spans);
    if (!content.log.empty())
        emit logArrived(content.log);
    if (content.status)
        m_status = *content.status;
    if (content.silence)
        m_silence = *content.silence;
    if (content.status || content.silence)
        emit statusChanged();
    if (content.ended) {
        m_timer.stop();
        dismissWatch();
        m_commands.clear(); // nobody is left to hear them
        m_end = content.ended;
        m_silence = 0;
        emit ended(*content.ended, QString::fromStdString(content.lastWords));
    }
}

void LiveRun::send(Command command)
{
    if (!isActive())
        return;
    m_commands.push_back(command);
    sendNext();
}

void LiveRun::sendNext()
{
    if (!m_watch || m_commandJob.running() || m_commands.empty())
        return;
    const auto work = [folder = m_folder, command = m_commands.front()]() -> Status {
        Result<RunControl> control = RunControl::connect(folder);
        if (!control)
            return failure(control);
        return ((*control).*command)();
    };
    m_commands.pop_front();
    m_commandJob.start(work, [this](Status status) {
        if (!status)
            emit failed(QString::fromStdString(status.error().message));
        sendNext();
    });
}

void LiveRun::pause()
{
    send(&RunControl::pause);
}

void LiveRun::resume()
{
    send(&RunControl::resume);
}

void LiveRun::stopAfterBatch()
{
    send(&RunControl::stopAfterBatch);
}

void LiveRun::stopNow()
{
    send(&RunControl::stopNow);
}

} // namespace stageloom
