// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/range_statistics_model.h"

#include "core/base/units.h"
#include "ui/theme/theme.h"
#include "ui/timeline/numbering.h"
#include "ui/timeline/span_text.h"
#include <algorithm>
#include <numeric>

namespace stageloom {

namespace {

double number(const OperationGroup& group, int column)
{
    switch (column) {
    case RangeStatisticsModel::Of:
        return group.number;
    case RangeStatisticsModel::Operation:
        return static_cast<double>(group.kind);
    case RangeStatisticsModel::Count:
        return static_cast<double>(group.count);
    case RangeStatisticsModel::Total:
        return group.total;
    case RangeStatisticsModel::Mean:
        return group.mean();
    case RangeStatisticsModel::P95:
        return group.p95;
    default:
        return group.max;
    }
}

bool isTime(int column)
{
    return column >= RangeStatisticsModel::Total;
}

} // namespace

void RangeStatisticsModel::setStatistics(
    OperationStatistics statistics, GroupBy by, const QStringList& names, bool seconds)
{
    beginResetModel();
    m_groups = std::move(statistics.groups);
    m_by = by;
    m_names = names;
    m_seconds = seconds;
    std::vector<OperationGroup> inOrder;
    inOrder.reserve(m_groups.size());
    for (const std::size_t from : sorted())
        inOrder.push_back(m_groups[from]);
    m_groups = std::move(inOrder);
    endResetModel();
}

// Places of the present rows in the order asked for; equals stay as they stand.
std::vector<std::size_t> RangeStatisticsModel::sorted() const
{
    std::vector<std::size_t> places(m_groups.size());
    std::iota(places.begin(), places.end(), 0U);
    const auto key = [this](std::size_t at) { return number(m_groups[at], m_sortedBy); };
    if (m_order == Qt::AscendingOrder)
        std::ranges::stable_sort(places, {}, key);
    else
        std::ranges::stable_sort(places, std::ranges::greater {}, key);
    return places;
}

void RangeStatisticsModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= ColumnCount)
        return;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    m_sortedBy = column;
    m_order = order;
    const std::vector<std::size_t> places = sorted();
    std::vector<OperationGroup> inOrder;
    inOrder.reserve(places.size());
    std::vector<int> rowNow(places.size());
    for (std::size_t row = 0; row < places.size(); ++row) {
        inOrder.push_back(m_groups[places[row]]);
        rowNow[places[row]] = static_cast<int>(row);
    }
    m_groups = std::move(inOrder);
    const QModelIndexList before = persistentIndexList();
    QModelIndexList now;
    for (const QModelIndex& one : before)
        now << index(rowNow[static_cast<std::size_t>(one.row())], one.column());
    changePersistentIndexList(before, now);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

int RangeStatisticsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_groups.size());
}

int RangeStatisticsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString RangeStatisticsModel::of(const OperationGroup& group) const
{
    switch (m_by) {
    case GroupBy::Stage:
        return QString::number(group.number);
    case GroupBy::Device:
        return deviceText(m_names, group.number);
    case GroupBy::Microbatch:
        break;
    }
    return carriesMicrobatch(group.kind) ? QString::number(shownNumber(group.number))
                                         : tr("batch %1").arg(shownNumber(group.number));
}

QString RangeStatisticsModel::text(const OperationGroup& group, int column) const
{
    switch (column) {
    case Of:
        return of(group);
    case Operation:
        return kindText(group.kind);
    case Count:
        return QString::fromStdString(groupDigits(static_cast<std::int64_t>(group.count)));
    default:
        return timeText(number(group, column), m_seconds);
    }
}

QVariant RangeStatisticsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const OperationGroup& group = m_groups[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(group, column);
    case Qt::TextAlignmentRole:
        return QVariant((column <= Operation ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DecorationRole:
        return column == Of && m_by != GroupBy::Microbatch ? QVariant(theme().stage(group.number))
                                                           : QVariant();
    default:
        return {};
    }
}

QString RangeStatisticsModel::title(int column) const
{
    const QString by = m_by == GroupBy::Stage ? tr("Stage")
        : m_by == GroupBy::Device             ? tr("Device")
                                              : tr("Microbatch");
    const QString titles[]
        = { by, tr("Operation"), tr("Count"), tr("Total"), tr("Mean"), tr("p95"), tr("Longest") };
    return titles[column];
}

QString RangeStatisticsModel::tip(int column) const
{
    switch (column) {
    case Count:
        return tr("Operations that reach into the range");
    case Total:
        return tr("Their time within the range");
    case P95:
        return tr("95 of 100 take at most this long");
    default:
        return tr("Click to sort");
    }
}

QVariant RangeStatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (role) {
    case Qt::DisplayRole:
        return section != m_sortedBy ? title(section)
                                     : title(section)
                + (m_order == Qt::AscendingOrder ? QStringLiteral(" ▴") : QStringLiteral(" ▾"));
    case Qt::ToolTipRole:
        return tip(section);
    case Qt::TextAlignmentRole:
        return QVariant((section <= Operation ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QString RangeStatisticsModel::tsv(const std::vector<int>& rows) const
{
    QStringList cells;
    for (int column = 0; column < ColumnCount; ++column)
        cells << (isTime(column) && m_seconds ? tr("%1 (s)").arg(title(column)) : title(column));
    QString all = cells.join(QLatin1Char('\t'));
    for (const int row : rows) {
        const OperationGroup& one = group(row);
        cells = { of(one), kindText(one.kind) };
        for (int column = Count; column < ColumnCount; ++column)
            cells << plainNumber(number(one, column));
        all += QLatin1Char('\n') + cells.join(QLatin1Char('\t'));
    }
    return all;
}

} // namespace stageloom
