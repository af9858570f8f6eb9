// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/metric_store.h"
#include "core/store/run_store.h"
#include "ui/state/latest_job.h"
#include <QObject>
#include <QTimer>
#include <filesystem>

namespace stageloom {

// One run's curves at full resolution.
struct RunCurves {
    RunRow row;
    std::vector<MetricPoint> points;
};

// The run table, followed by reading the store once a second in the thread pool.
class RunsState : public QObject {
    Q_OBJECT
public:
    explicit RunsState(std::filesystem::path store, QObject* parent = nullptr);
    void refresh();
    void setFollowing(bool follow); // polls only while somebody looks
    [[nodiscard]] const std::vector<RunRow>& rows() const { return m_rows; }
    [[nodiscard]] const std::filesystem::path& store() const { return m_store; }
    [[nodiscard]] const RunRow* running() const; // the newest run that still goes on
    void loadCurves(const std::vector<RunId>& ids);
    [[nodiscard]] const std::vector<RunCurves>& curves() const { return m_curves; }

signals:
    void rowsChanged();
    void curvesLoaded();
    void failed(const QString& sentence);

private:
    using Rows = Result<std::vector<RunRow>>;
    using Curves = Result<std::vector<RunCurves>>;
    std::filesystem::path m_store;
    std::vector<RunRow> m_rows;
    std::vector<RunCurves> m_curves;
    LatestJob<Rows> m_listJob;
    LatestJob<Curves> m_curveJob;
    QTimer m_poll;
};

} // namespace stageloom
