// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/log_model.h"
#include <QListView>
#include <QSortFilterProxyModel>

class QComboBox;

namespace stageloom {

// A log with its levels: warnings and errors in their colours with a sign before them, and a choice
// that leaves only those. It follows the newest line as long as that one is in sight.
class LogView : public QListView {
    Q_OBJECT
public:
    explicit LogView(LogModel& model, QWidget* parent = nullptr);
    [[nodiscard]] QComboBox* makeFilter(); // for the head of its panel

private:
    class Filter : public QSortFilterProxyModel {
    public:
        int least = 0; // of the level
        void changed() { invalidateFilter(); }

    protected:
        bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    };
    Filter m_filter;
    bool m_follows = true;
};

} // namespace stageloom
