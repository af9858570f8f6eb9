// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs_table.h"

#include "ui/pages/runs_delegate.h"
#include "ui/theme/theme.h"
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QSettings>
#include <cmath>

namespace stageloom {

namespace {

constexpr int kIndent = 16; // of runs in their section
constexpr auto kColumnsKey = "runs/columns";

int widthOf(RunField field)
{
    switch (field) {
    case RunField::Number:
        return 64;
    case RunField::Name:
        return 172;
    case RunField::Started:
        return 140;
    case RunField::Model:
        return 100;
    case RunField::Steps:
        return 104;
    case RunField::Microbatches:
    case RunField::LearningRate:
    case RunField::Memory:
        return 112;
    case RunField::Tags:
        return 112;
    case RunField::Duration:
    case RunField::State:
        return 94;
    case RunField::Validation:
    case RunField::Schedule:
        return 82;
    case RunField::Loss:
        return 66;
    default:
        return 78;
    }
}

// Words that a narrow screen may cut; a number is never cut.
bool mayShrink(RunField field)
{
    switch (field) {
    case RunField::Name:
    case RunField::Model:
    case RunField::Started:
    case RunField::Tags:
    case RunField::Schedule:
        return true;
    default:
        return false;
    }
}

bool isOptional(RunField field)
{
    switch (field) {
    case RunField::Bubble:
    case RunField::Memory:
    case RunField::Stages:
    case RunField::Microbatches:
    case RunField::Batch:
    case RunField::LearningRate:
        return true;
    default:
        return false;
    }
}

} // namespace

RunsTable::RunsTable(RunsModel& model, QWidget* parent)
    : QTreeView(parent)
    , m_model(model)
{
    // Before the view's own slot, which forgets where the rows are.
    connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, &RunsTable::remember);
    setModel(&model);
    setItemDelegate(new RunsDelegate(this));
    setAccessibleName(tr("Runs"));
    setUniformRowHeights(true);
    setIndentation(kIndent);
    setRootIsDecorated(false);
    setAllColumnsShowFocus(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    setExpandsOnDoubleClick(true);
    setTextElideMode(Qt::ElideRight);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setUpColumns();
    connect(&model, &QAbstractItemModel::modelReset, this, &RunsTable::restore);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!m_restoring)
            noteChosen();
    });
    connect(this, &QTreeView::collapsed, this,
        [this](const QModelIndex& i) { m_closed.insert(m_model.sectionTitle(i.row())); });
    connect(this, &QTreeView::expanded, this,
        [this](const QModelIndex& i) { m_closed.remove(m_model.sectionTitle(i.row())); });
    connect(&themeNotifier(), &ThemeNotifier::changed, viewport(), qOverload<>(&QWidget::update));
}

void RunsTable::setUpColumns()
{
    header()->setSectionsMovable(true);
    header()->setFirstSectionMovable(true);
    header()->setHighlightSections(false);
    header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header()->setContextMenuPolicy(Qt::CustomContextMenu);
    header()->setStretchLastSection(true);
    setSortingEnabled(true);
    sortByColumn(static_cast<int>(RunField::Number), Qt::DescendingOrder);
    for (int i = 0; i < kRunFields; ++i) {
        setColumnWidth(i, widthOf(static_cast<RunField>(i)));
        setColumnHidden(i, isOptional(static_cast<RunField>(i)));
    }
    header()->restoreState(QSettings().value(QLatin1String(kColumnsKey)).toByteArray());
    connect(header(), &QHeaderView::sectionResized, this, [this] {
        // A width that a hand chose stays: the button is down while it drags.
        m_ownWidths
            = m_ownWidths || (!m_fitting && QGuiApplication::mouseButtons() != Qt::NoButton);
    });
    connect(header(), &QHeaderView::sectionPressed, this, &RunsTable::commitOpenEditor);
    connect(header(), &QHeaderView::sectionMoved, this, &RunsTable::saveColumns);
    connect(header(), &QHeaderView::sortIndicatorChanged, this, &RunsTable::saveColumns);
    connect(header(), &QHeaderView::customContextMenuRequested, this, [this](const QPoint& at) {
        QMenu menu(this);
        fillColumnsMenu(menu);
        menu.exec(header()->mapToGlobal(at));
    });
}

void RunsTable::fillColumnsMenu(QMenu& menu)
{
    for (int i = 1; i < kRunFields; ++i) {
        QAction* action = menu.addAction(titleOf(static_cast<RunField>(i)));
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(i));
        connect(action, &QAction::toggled, this, [this, i](bool shown) {
            setColumnHidden(i, !shown);
            fitColumns();
            saveColumns();
        });
    }
}

void RunsTable::fitColumns()
{
    if (m_ownWidths)
        return;
    constexpr int kLeast = 64; // px
    int wanted = 0, spare = 0;
    for (int i = 0; i < kRunFields; ++i) {
        if (isColumnHidden(i))
            continue;
        const auto field = static_cast<RunField>(i);
        wanted += widthOf(field);
        spare += mayShrink(field) ? widthOf(field) - kLeast : 0;
    }
    const int over = wanted + (m_model.isGrouped() ? 2 * kIndent : 0) - viewport()->width();
    const double share = spare > 0 ? std::clamp(static_cast<double>(over) / spare, 0.0, 1.0) : 0;
    m_fitting = true;
    for (int i = 0; i < kRunFields; ++i) {
        const auto field = static_cast<RunField>(i);
        if (mayShrink(field) && !isColumnHidden(i))
            setColumnWidth(
                i, widthOf(field) - static_cast<int>(std::ceil(share * (widthOf(field) - kLeast))));
    }
    m_fitting = false;
}

void RunsTable::resizeEvent(QResizeEvent* event)
{
    QTreeView::resizeEvent(event);
    fitColumns();
}

void RunsTable::saveColumns() const
{
    QSettings().setValue(QLatin1String(kColumnsKey), header()->saveState());
}

void RunsTable::showRuns(const RunEntries& entries)
{
    if (state() == EditingState)
        m_waiting = entries;
    else
        m_model.setEntries(entries);
}

void RunsTable::commitOpenEditor()
{
    QWidget* editor = state() == EditingState ? indexWidget(currentIndex()) : nullptr;
    if (!editor)
        return;
    commitData(editor);
    closeEditor(editor, QAbstractItemDelegate::NoHint);
}

void RunsTable::closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint)
{
    QTreeView::closeEditor(editor, hint);
    if (state() != EditingState && m_waiting)
        m_model.setEntries(std::exchange(m_waiting, nullptr));
}

void RunsTable::noteChosen()
{
    std::vector<RunId> chosen;
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    for (const QModelIndex& index : rows)
        if (const RunEntry* entry = m_model.entryAt(index))
            chosen.push_back(entry->row.id);
    if (std::exchange(m_chosen, chosen) != chosen)
        emit chosenChanged();
}

void RunsTable::choose(const std::vector<RunId>& ids)
{
    const QModelIndexList indexes = m_model.indexesOf(ids);
    const QModelIndex first = indexes.value(0);
    QItemSelection selection; // neighbours as one range: choosing all runs stays quick
    for (const QModelIndex& index : indexes) {
        QModelIndex from = index;
        if (!selection.isEmpty() && selection.back().bottom() + 1 == index.row()
            && selection.back().parent() == index.parent())
            from = selection.takeLast().topLeft();
        selection.append(QItemSelectionRange(from, index));
    }
    selectionModel()->select(
        selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (first.isValid())
        selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
}

void RunsTable::remember()
{
    const RunEntry* current = m_model.entryAt(currentIndex());
    m_current = current ? current->row.id : RunId {};
    const RunEntry* top
        = verticalScrollBar()->value() > 0 ? m_model.entryAt(indexAt(QPoint(8, 8))) : nullptr;
    m_top = top ? top->row.id : RunId {};
}

void RunsTable::restore()
{
    setRootIsDecorated(m_model.isGrouped());
    const int number = static_cast<int>(RunField::Number); // the column that is indented
    setColumnWidth(number, widthOf(RunField::Number) + (m_model.isGrouped() ? 2 * kIndent : 0));
    fitColumns();
    if (m_model.isGrouped())
        for (int s = 0; s < m_model.rowCount(); ++s) {
            setFirstColumnSpanned(s, {}, true);
            setExpanded(m_model.index(s, 0), !m_closed.contains(m_model.sectionTitle(s)));
        }
    m_restoring = true;
    setAutoScroll(false); // what was in sight stays
    choose(m_chosen);
    if (const QModelIndex current = m_model.indexOf(m_current); current.isValid())
        selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
    setAutoScroll(true);
    m_restoring = false;
    if (const QModelIndex top = m_model.indexOf(m_top); m_top.valid() && top.isValid())
        scrollTo(top, QAbstractItemView::PositionAtTop);
    noteChosen();
}

void RunsTable::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Delete) {
        emit deleteAsked();
        return;
    }
    QTreeView::keyPressEvent(event);
}

} // namespace stageloom
