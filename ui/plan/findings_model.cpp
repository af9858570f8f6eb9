// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/findings_model.h"

#include <algorithm>

namespace stageloom {

void FindingsModel::setFindings(std::vector<PlanFinding> findings, const QString& proved)
{
    std::stable_sort(findings.begin(), findings.end(),
        [](const PlanFinding& a, const PlanFinding& b) { return a.severity < b.severity; });
    beginResetModel();
    m_proved = !proved.isEmpty();
    if (m_proved)
        findings.push_back({ PlanFinding::Severity::Note, "", proved.toStdString() });
    m_findings = std::move(findings);
    endResetModel();
}

bool FindingsModel::isProof(int row) const
{
    return m_proved && row + 1 == rowCount();
}

int FindingsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_findings.size());
}

QVariant FindingsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const PlanFinding& finding = m_findings[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: {
        QString sentence = QString::fromStdString(finding.message).simplified();
        if (!sentence.isEmpty())
            sentence[0] = sentence[0].toUpper();
        return sentence;
    }
    case PathRole:
        return QString::fromStdString(finding.path);
    case SeverityRole:
        return isProof(index.row()) ? kProved : static_cast<int>(finding.severity);
    default:
        return {};
    }
}

} // namespace stageloom
