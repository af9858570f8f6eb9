// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/live_run.h"

#include "core/store/database.h"
#include "core/store/metric_store.h"
#include "ui/state/live_buffer.h"
#include <limits>

namespace stageloom {

LiveRun::LiveRun(QObject* parent)
    : QObject(parent)
    , m_buffer(std::make_shared<LiveBuffer>())
    , m_launchJob(this)
    , m_commandJob(this)
    , m_historyJob(this)
{
    m_timer.setInterval(33);
    connect(&m_timer, &QTimer::timeout, this, &LiveRun::drain);
}

LiveRun::~LiveRun() = default;

std::shared_ptr<RunListener> LiveRun::listener() const
{
    return m_buffer;
}

void LiveRun::launch(const TrainRequest& request, const std::filesystem::path& store)
{
    if (isActive())
        return;
    m_launching = true;
    const QString name = QString::fromStdString(request.name);
    m_launchJob.start([request, store] { return launchRun(request, store); },
        [this, name](Result<LaunchedRun> run) {
            m_launching = false;
            if (run)
                attach(run->folder, run->id, name);
            else
                emit failed(QString::fromStdString(run.error().message));
        });
    emit statusChanged();
}

void LiveRun::attach(const std::filesystem::path& folder, RunId id, const QString& name,
    const std::filesystem::path& store)
{
    m_watch.reset();
    m_buffer = std::make_shared<LiveBuffer>();
    Result<std::unique_ptr<RunWatch>> watch = RunWatch::attach(folder, m_buffer);
    if (!watch) {
        emit failed(QString::fromStdString(watch.error().message));
        return;
    }
    m_watch = std::move(*watch);
    m_folder = folder;
    m_id = id;
    m_name = name;
    m_status = {};
    m_points.clear();
    m_historyJob.drop();
    readRequest();
    m_timer.start();
    emit started();
    if (!store.empty())
        readHistory(store);
}

void LiveRun::readRequest()
{
    m_request.reset();
    const std::string file = (m_folder / "request.json").string();
    const Result<Json> document = readJsonFile(file);
    if (!document)
        return;
    if (Result<TrainRequest> request = trainRequestFromJson(*document, file))
        m_request = std::move(*request);
}

void LiveRun::readHistory(const std::filesystem::path& store)
{
    const auto work = [store, id = m_id]() -> std::vector<MetricPoint> {
        Result<Database> database = Database::open(store);
        if (!database)
            return {};
        return MetricStore(*database).read(id).value_or(std::vector<MetricPoint> {});
    };
    m_historyJob.start(work, [this](std::vector<MetricPoint> early) {
        const std::int64_t from
            = m_points.empty() ? std::numeric_limits<std::int64_t>::max() : m_points.front().step;
        std::erase_if(early, [from](const MetricPoint& p) { return p.step >= from; });
        m_points.insert(m_points.begin(), early.begin(), early.end());
        if (!early.empty())
            emit historyRead();
    });
}

void LiveRun::detach()
{
    m_timer.stop();
    m_watch.reset();
    m_launchJob.drop();
    m_launching = false;
    emit statusChanged();
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
    if (content.status) {
        m_status = *content.status;
        emit statusChanged();
    }
    if (content.ended) {
        m_timer.stop();
        m_watch.reset();
        emit ended(*content.ended, QString::fromStdString(content.lastWords));
    }
}

void LiveRun::send(Command command)
{
    if (!m_watch)
        return;
    const auto work = [folder = m_folder, command]() -> Status {
        Result<RunControl> control = RunControl::connect(folder);
        if (!control)
            return failure(control);
        return ((*control).*command)();
    };
    m_commandJob.start(work, [this](Status status) {
        if (!status)
            emit failed(QString::fromStdString(status.error().message));
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
