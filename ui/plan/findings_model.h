// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include <QAbstractListModel>

namespace stageloom {

// What the checks say of a plan, worst first, and what was proved at the end. PathRole: the place
// in the document. SeverityRole: PlanFinding::Severity, or kProved.
class FindingsModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { PathRole = Qt::UserRole, SeverityRole };
    using QAbstractListModel::QAbstractListModel;
    static constexpr int kProved = 3;
    void setFindings(std::vector<PlanFinding> findings, const QString& proved = {});

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<PlanFinding> m_findings;
    bool m_proved = false; // the last row
    [[nodiscard]] bool isProof(int row) const;
};

} // namespace stageloom
