// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/plan_difference_model.h"

#include "ui/theme/theme.h"
#include <QStringList>

namespace stageloom {

namespace {

QString valueWords(const std::string& json)
{
    QString text = QString::fromStdString(json);
    if (text.contains(u'.') || text.contains(u'e')) { // 0.00040960000000000004 is 0.0004096
        bool isNumber = false;
        const double value = text.toDouble(&isNumber);
        if (isNumber)
            return QString::number(value, 'g', 6);
    }
    if (text.size() >= 2 && text.startsWith(u'"') && text.endsWith(u'"'))
        text = text.mid(1, text.size() - 2);
    return text;
}

} // namespace

QString fieldWords(const std::string& path)
{
    QStringList words;
    for (QString part : QString::fromStdString(path).split(u'/', Qt::SkipEmptyParts)) {
        bool number = false;
        part.toInt(&number);
        if (!number) {
            words << part.replace(u'_', u' ');
            continue;
        }
        if (!words.isEmpty() && words.back().endsWith(u's')) // "stages", 1: "stage 1"
            words.back().chop(1);
        if (words.isEmpty())
            words << part;
        else
            words.back() += u' ' + part;
    }
    return words.join(QStringLiteral(" · "));
}

void PlanDifferenceModel::setComparison(const PlanComparison& comparison)
{
    beginResetModel();
    m_ids = comparison.ids;
    m_leaves = comparison.plan;
    m_leaves.insert(m_leaves.end(), comparison.request.begin(), comparison.request.end());
    choose();
    endResetModel();
}

void PlanDifferenceModel::setShowAll(bool all)
{
    beginResetModel();
    m_all = all;
    choose();
    endResetModel();
}

void PlanDifferenceModel::choose()
{
    m_rows.clear();
    for (std::size_t i = 0; i < m_leaves.size(); ++i)
        if (m_all || m_leaves[i].differs())
            m_rows.push_back(i);
}

int PlanDifferenceModel::differing() const
{
    return static_cast<int>(std::count_if(m_leaves.begin(), m_leaves.end(),
        [](const DocumentDifference& leaf) { return leaf.differs(); }));
}

int PlanDifferenceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PlanDifferenceModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_ids.size()) + 1;
}

QVariant PlanDifferenceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const DocumentDifference& leaf = m_leaves[m_rows[static_cast<std::size_t>(index.row())]];
    if (index.column() == 0) {
        if (role == Qt::DisplayRole)
            return fieldWords(leaf.path);
        return role == Qt::ToolTipRole ? QVariant(QString::fromStdString(leaf.path)) : QVariant();
    }
    const auto run = static_cast<std::size_t>(index.column()) - 1;
    const bool changed = leaf.changed(run);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return valueWords(leaf.values[run]);
    case ChangedRole:
        return changed;
    case Qt::BackgroundRole:
        return changed ? QVariant(theme().accentSoft) : QVariant();
    case Qt::FontRole: {
        QFont font = theme().valueFont();
        font.setBold(true);
        return changed ? QVariant(font) : QVariant();
    }
    default:
        return {};
    }
}

QVariant PlanDifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return QAbstractTableModel::headerData(section, orientation, role);
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == 0 ? tr("Field")
                        : tr("Run %1").arg(m_ids[static_cast<std::size_t>(section) - 1].value);
}

} // namespace stageloom
