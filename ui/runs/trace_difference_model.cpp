// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/trace_difference_model.h"

#include "core/base/units.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/timeline/numbering.h"
#include "ui/timeline/span_text.h"
#include <cmath>

namespace stageloom {

namespace {

constexpr double kNotable = 0.05; // of the base's duration: coloured

} // namespace

QString signedSeconds(double value)
{
    if (value == 0)
        return QStringLiteral("0");
    return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + secondsText(std::fabs(value));
}

void TraceDifferenceModel::setTraces(const RunTraces& traces)
{
    beginResetModel();
    m_kinds = traces.comparison.kinds;
    m_base = traces.base;
    m_other = traces.other;
    endResetModel();
}

int TraceDifferenceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_kinds.size());
}

int TraceDifferenceModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString TraceDifferenceModel::text(const KindDifference& kind, int column) const
{
    switch (column) {
    case Stage:
        return QString::number(kind.stage);
    case Action:
        return kindText(kind.kind);
    case Matched:
        return QString::fromStdString(groupDigits(static_cast<std::int64_t>(kind.matched)));
    case Base:
        return secondsText(kind.baseMean);
    case Other:
        return secondsText(kind.otherMean);
    case Mean:
        return signedSeconds(kind.meanDelta);
    case Worst:
        return signedSeconds(kind.worstDelta);
    default:
        return carriesMicrobatch(kind.kind) ? tr("batch %1, microbatch %2")
                                                  .arg(shownNumber(kind.worstBatch))
                                                  .arg(shownNumber(kind.worstMicrobatch))
                                            : tr("batch %1").arg(shownNumber(kind.worstBatch));
    }
}

QVariant TraceDifferenceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const KindDifference& kind = m_kinds[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(kind, index.column());
    case Qt::TextAlignmentRole:
        return QVariant(
            (index.column() == Action || index.column() == Where ? Qt::AlignLeft : Qt::AlignRight)
            | Qt::AlignVCenter);
    case Qt::DecorationRole:
        return index.column() == Stage ? QVariant(theme().stage(kind.stage)) : QVariant();
    case Qt::ForegroundRole:
        if (index.column() != Mean || kind.meanDelta == 0
            || std::fabs(kind.meanDelta) < kNotable * kind.baseMean)
            return {};
        return kind.meanDelta > 0 ? theme().bad : theme().good;
    default:
        return {};
    }
}

QVariant TraceDifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return QAbstractTableModel::headerData(section, orientation, role);
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == Action || section == Where ? Qt::AlignLeft : Qt::AlignRight)
            | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QString titles[]
        = { tr("Stage"), tr("Action"), tr("Matched"), tr("Run %1").arg(m_base.value),
              tr("Run %1").arg(m_other.value), tr("Mean Δ"), tr("Worst Δ"), tr("Worst at") };
    return titles[section];
}

} // namespace stageloom
