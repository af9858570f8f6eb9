// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_comparison.h"
#include <QAbstractTableModel>

namespace stageloom {

struct RunFact {
    QString name, value;
    bool heading = false; // a section's title, in `name`
};

// Outcome, plan, data and machine of a run; what is not known is left out.
std::vector<RunFact> runFacts(const RunDetails& details);

class RunFactsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { HeadingRole = Qt::UserRole };
    using QAbstractTableModel::QAbstractTableModel;
    void setFacts(std::vector<RunFact> facts);
    [[nodiscard]] bool isHeading(int row) const
    {
        return m_facts[static_cast<std::size_t>(row)].heading;
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<RunFact> m_facts;
};

} // namespace stageloom
