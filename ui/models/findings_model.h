// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include <QAbstractListModel>

namespace stageloom {

// What the checks say of a plan, worst first. PathRole: the place in the document.
class FindingsModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { PathRole = Qt::UserRole, SeverityRole };
    using QAbstractListModel::QAbstractListModel;
    void setFindings(std::vector<PlanFinding> findings);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<PlanFinding> m_findings;
};

} // namespace stageloom
