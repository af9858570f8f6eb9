// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_timeline.h"

#include "ui/runs/run_readers.h"

namespace stageloom {

RunTimeline::RunTimeline(std::filesystem::path store, QObject* parent)
    : QObject(parent)
    , m_store(std::move(store))
    , m_job(this)
{
    m_look.setInterval(100);
    connect(&m_look, &QTimer::timeout, this, &RunTimeline::progressed);
}

RunTimeline::~RunTimeline()
{
    end();
}

std::pair<std::size_t, std::size_t> RunTimeline::progress() const
{
    if (!m_reading)
        return {};
    return { m_reading->done.load(), m_reading->all.load() };
}

void RunTimeline::end()
{
    m_look.stop();
    m_job.drop();
    if (m_reading)
        m_reading->stop = true;
    m_reading.reset();
}

void RunTimeline::become(State state)
{
    m_state = state;
    emit stateChanged();
}

void RunTimeline::load(RunId id)
{
    end();
    m_id = id;
    m_parts = {};
    m_reading = std::make_shared<TraceReading>();
    m_job.start(
        [store = m_store, id, reading = m_reading] {
            return std::make_shared<Result<RunTimelineParts>>(readTimeline(store, id, *reading));
        },
        [this](const std::shared_ptr<Result<RunTimelineParts>>& parts) {
            end();
            if (!*parts) {
                m_problem = QString::fromStdString(parts->error().message);
                become(State::Failed);
                return;
            }
            m_parts = std::move(**parts);
            become(m_parts.run.spans.empty() ? State::Empty : State::Ready);
        });
    m_look.start();
    become(State::Reading);
}

void RunTimeline::stop()
{
    if (!isBusy())
        return;
    end();
    become(State::Stopped);
}

void RunTimeline::clear()
{
    end();
    m_id = {};
    m_parts = {};
    become(State::None);
}

} // namespace stageloom
