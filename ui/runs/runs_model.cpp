// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_model.h"

#include "ui/theme/theme.h"
#include <QCoreApplication>
#include <cmath>
#include <limits>
#include <utility>

namespace stageloom {

namespace {

QVariant alignmentOf(RunField field)
{
    return QVariant((fieldInfo(field).number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace

// The internal id of an index is its parent section's row + 1; 0 at the top level.
RunsModel::RunsModel(QObject* parent)
    : QAbstractItemModel(parent)
    , m_given(std::make_shared<const std::vector<RunEntry>>())
    , m_entries(m_given)
    , m_sections(1)
{
}

void RunsModel::setEntries(RunEntries entries)
{
    m_given = std::move(entries);
    rearrange(withDifferences(m_given, m_baseline, m_evaluations));
}

void RunsModel::setEvaluations(EvaluationsByRun evaluations)
{
    if (std::exchange(m_evaluations, std::move(evaluations)) != m_evaluations)
        rearrange(withDifferences(m_given, m_baseline, m_evaluations));
}

void RunsModel::setFilter(const QString& text)
{
    m_arrangement.query = RunQuery::parse(text);
    rearrange(m_entries);
}

void RunsModel::setOnly(std::optional<std::unordered_set<std::int64_t>> ids)
{
    m_arrangement.only = std::move(ids);
    rearrange(m_entries);
}

void RunsModel::setGrouping(RunGrouping grouping)
{
    beginResetModel(); // the same runs may get other parents
    m_arrangement.grouping = grouping;
    m_sections = arrange(*m_entries, m_arrangement);
    endResetModel();
}

void RunsModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= kRunFields)
        return;
    m_arrangement.sort = static_cast<RunField>(column);
    m_arrangement.descending = order == Qt::DescendingOrder;
    rearrange(m_entries);
    emit headerDataChanged(Qt::Horizontal, 0, kRunFields - 1);
}

bool RunsModel::sameIndexes(
    const RunEntries& entries, const std::vector<RunSection>& sections) const
{
    const auto idOf
        = [](const RunEntries& e, std::uint32_t position) { return (*e)[position].row.id; };
    return std::equal(sections.begin(), sections.end(), m_sections.begin(), m_sections.end(),
        [&](const RunSection& next, const RunSection& now) {
            return next.title == now.title
                && std::equal(next.runs.begin(), next.runs.end(), now.runs.begin(), now.runs.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                        return idOf(entries, a) == idOf(m_entries, b);
                    });
        });
}

void RunsModel::rearrange(RunEntries entries)
{
    std::vector<RunSection> sections = arrange(*entries, m_arrangement);
    if (!sameIndexes(entries, sections)) {
        beginResetModel();
        m_entries = std::move(entries);
        m_sections = std::move(sections);
        endResetModel();
        return;
    }
    m_entries = std::move(entries);
    m_sections = std::move(sections);
    const auto announce = [this](const QModelIndex& parent) {
        if (const int rows = rowCount(parent); rows > 0)
            emit dataChanged(index(0, 0, parent), index(rows - 1, kRunFields - 1, parent));
    };
    announce({});
    for (int s = 0; isGrouped() && s < rowCount(); ++s)
        announce(index(s, 0));
}

void RunsModel::announceNumbers(const QList<int>& roles)
{
    for (const RunSection& section : m_sections) {
        if (section.runs.empty())
            continue;
        const QModelIndex first = indexOf((*m_entries)[section.runs.front()].row.id);
        emit dataChanged(first, first.sibling(static_cast<int>(section.runs.size()) - 1, 0), roles);
    }
}

void RunsModel::setSlots(std::unordered_map<std::int64_t, int> shown)
{
    m_slots = std::move(shown);
    announceNumbers({ SlotRole });
}

void RunsModel::setBaseline(RunId id)
{
    if (std::exchange(m_baseline, id) == id)
        return;
    rearrange(withDifferences(m_given, m_baseline, m_evaluations));
    emit baselineChanged();
}

int RunsModel::slotOf(RunId id) const
{
    const auto slot = m_slots.find(id.value);
    return slot == m_slots.end() ? -1 : slot->second;
}

QColor RunsModel::mark(RunId id) const
{
    const int slot = slotOf(id);
    return slot < 0 ? QColor() : theme().run(slot);
}

int RunsModel::shownRuns() const
{
    std::size_t count = 0;
    for (const RunSection& section : m_sections)
        count += section.runs.size();
    return static_cast<int>(count);
}

bool RunsModel::isSameForAll(RunField field) const
{
    std::optional<QString> first;
    int seen = 0;
    for (const RunSection& section : m_sections)
        for (const std::uint32_t i : section.runs) {
            const QString words = textOf((*m_entries)[i], field);
            if (first && *first != words)
                return false;
            first = words;
            ++seen;
        }
    return seen > 1;
}

const RunSection* RunsModel::sectionOf(const QModelIndex& parent) const
{
    if (!isGrouped())
        return parent.isValid() ? nullptr : &m_sections.front();
    if (!parent.isValid() || parent.internalId() != 0 || parent.column() != 0)
        return nullptr;
    return &m_sections[static_cast<std::size_t>(parent.row())];
}

const RunEntry* RunsModel::entryAt(const QModelIndex& index) const
{
    if (!index.isValid())
        return nullptr;
    const RunSection* section = sectionOf(index.parent());
    return section ? &(*m_entries)[section->runs[static_cast<std::size_t>(index.row())]] : nullptr;
}

QModelIndexList RunsModel::indexesOf(const std::vector<RunId>& ids) const
{
    std::unordered_set<std::int64_t> wanted;
    for (const RunId id : ids)
        wanted.insert(id.value);
    QModelIndexList found;
    for (std::size_t s = 0; s < m_sections.size(); ++s) {
        const QModelIndex parent = isGrouped() ? index(static_cast<int>(s), 0) : QModelIndex();
        for (std::size_t i = 0; i < m_sections[s].runs.size(); ++i)
            if (wanted.contains((*m_entries)[m_sections[s].runs[i]].row.id.value))
                found << index(static_cast<int>(i), 0, parent);
    }
    return found;
}

QModelIndex RunsModel::indexOf(RunId id) const
{
    return indexesOf({ id }).value(0);
}

QString RunsModel::sectionTitle(int row) const
{
    return m_sections[static_cast<std::size_t>(row)].title;
}

QModelIndex RunsModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(
        row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr { 0 });
}

QModelIndex RunsModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == 0)
        return {};
    return createIndex(static_cast<int>(index.internalId()) - 1, 0, quintptr { 0 });
}

int RunsModel::rowCount(const QModelIndex& parent) const
{
    if (isGrouped() && !parent.isValid())
        return static_cast<int>(m_sections.size());
    const RunSection* section = sectionOf(parent);
    return section ? static_cast<int>(section->runs.size()) : 0;
}

int RunsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() && (parent.internalId() != 0 || !isGrouped()) ? 0 : kRunFields;
}

QVariant RunsModel::sectionData(int row, int column, int role) const
{
    if (column != 0 || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const RunSection& section = m_sections[static_cast<std::size_t>(row)];
    double lowest = std::numeric_limits<double>::infinity(), fastest = -lowest;
    int running = 0;
    for (const std::uint32_t i : section.runs) {
        const RunEntry& entry = (*m_entries)[i];
        lowest = std::fmin(lowest, numberOf(entry, RunField::Validation));
        fastest = std::fmax(fastest, numberOf(entry, RunField::Rate));
        running += entry.row.state == RunState::Running ? 1 : 0;
    }
    QStringList parts { tr("%n run(s)", nullptr, static_cast<int>(section.runs.size())) };
    if (running > 0)
        parts << tr("%n running", nullptr, running);
    if (std::isfinite(lowest))
        parts << tr("best validation %1").arg(fieldText(lowest, RunField::Validation));
    if (std::isfinite(fastest))
        parts << tr("best %1 tokens/s").arg(fieldText(fastest, RunField::Rate));
    return (section.title.isEmpty() ? tr("without") : section.title) + QStringLiteral("   ")
        + parts.join(QStringLiteral(" · "));
}

QString RunsModel::toolTip(const RunEntry& entry, RunField field) const
{
    if (field == RunField::State && !entry.row.failure.empty())
        return QString::fromStdString(entry.row.failure);
    if (field == RunField::Number && entry.row.id == m_baseline)
        return tr("The baseline: others are compared with run %1. B unpins it.")
            .arg(entry.row.id.value);
    if (field == RunField::Number)
        return tr("Run %1; B pins it as the baseline").arg(entry.row.id.value);
    if (field == RunField::Model)
        return QString::fromStdString(entry.row.model);
    if (entry.row.state != RunState::Finished && !entry.row.failure.empty()
        && textOf(entry, field).isEmpty())
        return QString::fromStdString(entry.row.failure); // it stands there
    if (field == RunField::ValidationDelta && entry.difference && entry.difference->step > 0)
        return tr("Against run %1 at the same step, %2")
            .arg(m_baseline.value)
            .arg(entry.difference->step);
    if (fieldInfo(field).writable) {
        const QString text = textOf(entry, field);
        return text.isEmpty() ? tr("Double-click or F2 to write") : text;
    }
    return {};
}

QVariant RunsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RunEntry* entry = entryAt(index);
    if (!entry)
        return sectionData(index.row(), index.column(), role);
    const auto field = static_cast<RunField>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return field == RunField::Notes ? textOf(*entry, field).simplified()
                                        : textOf(*entry, field);
    case Qt::EditRole:
        return textOf(*entry, field);
    case Qt::ToolTipRole:
        return toolTip(*entry, field);
    case Qt::TextAlignmentRole:
        return alignmentOf(field);
    case FieldRole:
        return index.column();
    case RunIdRole:
        return QVariant::fromValue<qlonglong>(entry->row.id.value);
    case StateRole:
        return static_cast<int>(entry->row.state);
    case SlotRole:
        return slotOf(entry->row.id);
    case BaselineRole:
        return entry->row.id == m_baseline;
    case Qt::AccessibleTextRole:
        return field == RunField::Number && entry->row.id == m_baseline
            ? QVariant(tr("%1, the baseline").arg(entry->row.id.value))
            : QVariant();
    default:
        return {};
    }
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const RunEntry* entry = entryAt(index);
    const auto field = static_cast<RunField>(index.column());
    if (!entry || role != Qt::EditRole || !fieldInfo(field).writable)
        return false;
    const QString text = value.toString();
    if (text != textOf(*entry, field))
        emit edited(entry->row.id, field, text); // comes back with the next entries
    return true;
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const RunEntry* entry = entryAt(index);
    if (!entry)
        return Qt::ItemIsEnabled;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (!isGrouped())
        flags |= Qt::ItemNeverHasChildren;
    if (fieldInfo(static_cast<RunField>(index.column())).writable)
        flags |= Qt::ItemIsEditable;
    return flags;
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= kRunFields)
        return {};
    const auto field = static_cast<RunField>(section);
    if (role == Qt::DisplayRole && field == m_arrangement.sort)
        return titleOf(field)
            + (m_arrangement.descending ? QStringLiteral(" ▾") : QStringLiteral(" ▴"));
    if (role == Qt::DisplayRole)
        return titleOf(field);
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(field);
    const FieldInfo& info = fieldInfo(field);
    if (role == Qt::ToolTipRole) {
        const QString sort = tr("Click to sort; filter with %1")
                                 .arg(QLatin1String(info.key)
                                     + (info.number ? QStringLiteral("<…") : QStringLiteral(":…")));
        return *info.tip == 0
            ? sort
            : QCoreApplication::translate("RunFields", info.tip) + QStringLiteral("\n") + sort;
    }
    return {};
}

} // namespace stageloom
