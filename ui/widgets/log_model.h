// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_store.h"
#include <QAbstractListModel>
#include <deque>

namespace stageloom {

// The last lines of a run's log; older ones are in the store.
class LogModel : public QAbstractListModel {
    Q_OBJECT
public:
    static constexpr int kLimit = 5000;
    enum Role { LevelRole = Qt::UserRole };
    using QAbstractListModel::QAbstractListModel;
    void append(const std::vector<LogLine>& lines);
    // What was written before the first line here; lines that are here already are left out.
    void prepend(const std::vector<LogLine>& earlier);
    void clear();

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::deque<LogLine> m_lines;
};

} // namespace stageloom
