// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs_model.h"

#include "core/base/units.h"
#include <QCoreApplication>
#include <QLocale>

namespace stageloom {

namespace {

QString number(const std::optional<double>& value)
{
    return value ? QLocale::c().toString(*value, 'g', 4) : QString();
}

QString tagText(const RunRow& row)
{
    QStringList tags;
    for (const std::string& tag : row.tags)
        tags << QString::fromStdString(tag);
    return tags.join(QStringLiteral(", "));
}

QString wordsOf(const RunRow& row)
{
    QStringList words { QString::number(row.id.value), QString::fromStdString(row.name),
        stateWord(row.state), QString::fromStdString(row.schedule),
        QString::fromStdString(row.model), QString::fromStdString(row.started), tagText(row),
        QString::fromStdString(row.notes) };
    return words.join(u'\n').toLower();
}

bool sameRuns(const std::vector<RunRow>& a, const std::vector<RunRow>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
        [](const RunRow& x, const RunRow& y) { return x.id == y.id; });
}

} // namespace

QString stateWord(RunState state)
{
    const auto tr = [](const char* word) { return QCoreApplication::translate("RunsModel", word); };
    switch (state) {
    case RunState::Running:
        return tr("running");
    case RunState::Finished:
        return tr("finished");
    case RunState::Stopped:
        return tr("stopped");
    case RunState::Failed:
        return tr("failed");
    case RunState::Lost:
        return tr("lost");
    }
    return {};
}

void RunsModel::setRows(std::vector<RunRow> rows)
{
    std::vector<QString> words;
    words.reserve(rows.size());
    for (const RunRow& row : rows)
        words.push_back(wordsOf(row));
    if (!rows.empty() && sameRuns(rows, m_rows)) {
        m_rows = std::move(rows);
        m_words = std::move(words);
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    m_words = std::move(words);
    endResetModel();
}

int RunsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RunRow& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case SortRole:
        return sortKey(row, index.column());
    case FilterRole:
        return m_words[static_cast<std::size_t>(index.row())];
    case RunIdRole:
        return QVariant::fromValue<qlonglong>(row.id.value);
    case Qt::ToolTipRole:
        return QString::fromStdString(row.failure.empty() ? row.notes : row.failure);
    case Qt::TextAlignmentRole: {
        const bool right = index.column() == Number || index.column() == Steps
            || index.column() == Loss || index.column() == Validation || index.column() == Rate;
        return QVariant((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    default:
        return {};
    }
}

QVariant RunsModel::text(const RunRow& row, int column) const
{
    switch (column) {
    case Number:
        return QString::number(row.id.value);
    case Name:
        return QString::fromStdString(row.name);
    case State:
        return stateWord(row.state);
    case Steps:
        return row.plannedSteps > row.steps ? tr("%1 of %2").arg(row.steps).arg(row.plannedSteps)
                                            : QString::number(row.steps);
    case Loss:
        return number(row.finalLoss);
    case Validation:
        return number(row.validationLoss);
    case Rate:
        return row.tokensPerSecond
            ? QString::fromStdString(groupDigits(static_cast<std::int64_t>(*row.tokensPerSecond)))
            : QString();
    case Schedule:
        return QString::fromStdString(row.schedule);
    case Model:
        return QString::fromStdString(row.model);
    case Started:
        return QString::fromStdString(row.started).left(19).replace(u'T', u' ');
    default:
        return tagText(row);
    }
}

QVariant RunsModel::sortKey(const RunRow& row, int column) const
{
    switch (column) {
    case Number:
        return QVariant::fromValue<qlonglong>(row.id.value);
    case Steps:
        return QVariant::fromValue<qlonglong>(row.steps);
    case Loss:
        return row.finalLoss.value_or(1e300); // unmeasured last
    case Validation:
        return row.validationLoss.value_or(1e300);
    case Rate:
        return row.tokensPerSecond.value_or(0);
    default:
        return text(row, column);
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    const QString names[]
        = { tr("Run"), tr("Name"), tr("State"), tr("Steps"), tr("Loss"), tr("Validation"),
              tr("Tokens/s"), tr("Schedule"), tr("Model"), tr("Started (UTC)"), tr("Tags") };
    return section >= 0 && section < ColumnCount ? names[section] : QString();
}

RunsFilter::RunsFilter(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(RunsModel::SortRole);
}

void RunsFilter::setWords(const QString& words)
{
    m_words = words.toLower().split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool RunsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    if (m_words.isEmpty())
        return true;
    const QString text
        = sourceModel()->index(row, 0, parent).data(RunsModel::FilterRole).toString();
    return std::all_of(m_words.begin(), m_words.end(),
        [&text](const QString& word) { return text.contains(word); });
}

} // namespace stageloom
