// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/runs_state.h"

namespace stageloom {

namespace {

// A connection belongs to one thread, so each job opens its own.
Result<std::vector<RunRow>> readRows(const std::filesystem::path& store)
{
    std::error_code error;
    if (!std::filesystem::exists(store, error))
        return std::vector<RunRow> {};
    Result<Database> database = Database::open(store);
    if (!database)
        return failure(database);
    RunStore runs(*database);
    if (const Result<int> reaped = runs.reapLost(); !reaped)
        return failure(reaped);
    return runs.list();
}

Result<std::vector<RunCurves>> readCurves(
    const std::filesystem::path& store, const std::vector<RunId>& ids)
{
    Result<Database> database = Database::open(store);
    if (!database)
        return failure(database);
    std::vector<RunCurves> curves;
    for (const RunId id : ids) {
        Result<RunRow> row = RunStore(*database).get(id);
        if (!row)
            return failure(row);
        Result<std::vector<MetricPoint>> points = MetricStore(*database).read(id);
        if (!points)
            return failure(points);
        curves.push_back({ std::move(*row), std::move(*points) });
    }
    return curves;
}

bool same(const RunRow& a, const RunRow& b)
{
    return a.id == b.id && a.state == b.state && a.steps == b.steps && a.name == b.name
        && a.finalLoss == b.finalLoss && a.tags == b.tags && a.notes == b.notes;
}

} // namespace

RunsState::RunsState(std::filesystem::path store, QObject* parent)
    : QObject(parent)
    , m_store(std::move(store))
    , m_listJob(this)
    , m_curveJob(this)
{
    m_poll.setInterval(1000);
    connect(&m_poll, &QTimer::timeout, this, &RunsState::refresh);
}

void RunsState::setFollowing(bool follow)
{
    if (follow) {
        refresh();
        m_poll.start();
    } else {
        m_poll.stop();
    }
}

void RunsState::refresh()
{
    if (m_listJob.running())
        return;
    m_listJob.start([store = m_store] { return readRows(store); },
        [this](Rows rows) {
            if (!rows) {
                emit failed(QString::fromStdString(rows.error().message));
                return;
            }
            if (std::equal(rows->begin(), rows->end(), m_rows.begin(), m_rows.end(), same))
                return;
            m_rows = std::move(*rows);
            emit rowsChanged();
        });
}

const RunRow* RunsState::running() const
{
    for (const RunRow& row : m_rows)
        if (row.state == RunState::Running)
            return &row;
    return nullptr;
}

void RunsState::loadCurves(const std::vector<RunId>& ids)
{
    m_curveJob.start([store = m_store, ids] { return readCurves(store, ids); },
        [this](Curves curves) {
            if (!curves) {
                emit failed(QString::fromStdString(curves.error().message));
                return;
            }
            m_curves = std::move(*curves);
            emit curvesLoaded();
        });
}

} // namespace stageloom
