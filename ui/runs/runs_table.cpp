// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_table.h"

#include "ui/runs/runs_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/copy_rows.h"
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
constexpr auto kColumnsKey = "runs/columns"; // order, widths, sorting
constexpr auto kHiddenKey = "runs/hidden_columns"; // numbers of fields
constexpr auto kOwnWidthsKey = "runs/own_widths";
constexpr auto kHidesSameKey = "runs/hides_same";

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
    setToolTip(tr("Choose runs to see and compare them; double-click or F2 writes names, tags and "
                  "notes, B pins the baseline, Ctrl+C copies, Del deletes"));
    setUpColumns();
    letCopyRows(*this);
    connect(&model, &QAbstractItemModel::modelReset, this, &RunsTable::restore);
    connect(&model, &QAbstractItemModel::dataChanged, this, [this] {
        if (m_hidesSame)
            showColumns();
    });
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
    readColumns();
    m_saveDelay.setSingleShot(true);
    m_saveDelay.setInterval(200);
    connect(&m_saveDelay, &QTimer::timeout, this, &RunsTable::saveColumns);
    connect(header(), &QHeaderView::sectionResized, this, [this] {
        // A width that a hand chose stays: the button is down while it drags.
        if (m_fitting || QGuiApplication::mouseButtons() == Qt::NoButton)
            return;
        m_ownWidths = true;
        m_saveDelay.start();
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

void RunsTable::readColumns()
{
    const QSettings settings;
    m_shownColumns.resize(kRunFields);
    for (int i = 0; i < kRunFields; ++i) {
        setColumnWidth(i, widthOf(static_cast<RunField>(i)));
        m_shownColumns[static_cast<std::size_t>(i)] = !isOptional(static_cast<RunField>(i));
    }
    if (header()->restoreState(settings.value(QLatin1String(kColumnsKey)).toByteArray()))
        for (int i = 0; i < kRunFields; ++i)
            m_shownColumns[static_cast<std::size_t>(i)] = !isColumnHidden(i);
    m_ownWidths = settings.value(QLatin1String(kOwnWidthsKey), false).toBool();
    m_hidesSame = settings.value(QLatin1String(kHidesSameKey), false).toBool();
    // The header's own state has what was hidden because it was the same for all, too.
    if (settings.contains(QLatin1String(kHiddenKey))) {
        m_shownColumns.assign(kRunFields, true);
        for (const QVariant& hidden : settings.value(QLatin1String(kHiddenKey)).toList())
            if (const int i = hidden.toInt(); i > 0 && i < kRunFields)
                m_shownColumns[static_cast<std::size_t>(i)] = false;
    }
    showColumns();
}

void RunsTable::showColumns()
{
    m_fitting = true; // what is laid out here no hand has dragged
    for (int i = 0; i < kRunFields; ++i) {
        const auto field = static_cast<RunField>(i);
        const bool named = field == RunField::Number || field == RunField::Name;
        const bool same = m_hidesSame && !named && m_model.isSameForAll(field);
        if (const bool hidden = !m_shownColumns[static_cast<std::size_t>(i)] || same;
            hidden != isColumnHidden(i))
            setColumnHidden(i, hidden);
    }
    m_fitting = false;
    fitColumns();
}

void RunsTable::setColumnShown(int column, bool shown)
{
    m_shownColumns[static_cast<std::size_t>(column)] = shown;
    showColumns();
    saveColumns();
}

void RunsTable::setHidesSame(bool on)
{
    m_hidesSame = on;
    showColumns();
    saveColumns();
}

void RunsTable::fitWidthsAgain()
{
    m_ownWidths = false;
    m_fitting = true;
    for (int i = 0; i < kRunFields; ++i)
        setColumnWidth(i, widthOf(static_cast<RunField>(i)));
    m_fitting = false;
    fitColumns();
    saveColumns();
}

void RunsTable::fillColumnsMenu(QMenu& menu)
{
    menu.setToolTipsVisible(true);
    for (int i = 1; i < kRunFields; ++i) {
        QAction* action = menu.addAction(titleOf(static_cast<RunField>(i)));
        action->setCheckable(true);
        action->setChecked(m_shownColumns[static_cast<std::size_t>(i)]);
        connect(
            action, &QAction::toggled, this, [this, i](bool shown) { setColumnShown(i, shown); });
    }
    menu.addSeparator();
    QAction* same = menu.addAction(tr("Hide what is the same for all runs shown"));
    same->setToolTip(tr("Leaves the columns in which the runs differ"));
    same->setCheckable(true);
    same->setChecked(m_hidesSame);
    connect(same, &QAction::toggled, this, &RunsTable::setHidesSame);
    QAction* fit = menu.addAction(tr("Fit the widths again"), this, &RunsTable::fitWidthsAgain);
    fit->setToolTip(tr("Takes back the widths that were dragged"));
    fit->setEnabled(m_ownWidths);
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
    QSettings settings;
    settings.setValue(QLatin1String(kColumnsKey), header()->saveState());
    settings.setValue(QLatin1String(kOwnWidthsKey), m_ownWidths);
    settings.setValue(QLatin1String(kHidesSameKey), m_hidesSame);
    QVariantList hidden;
    for (int i = 0; i < kRunFields; ++i)
        if (!m_shownColumns[static_cast<std::size_t>(i)])
            hidden << i;
    settings.setValue(QLatin1String(kHiddenKey), hidden);
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
    if (!m_ownWidths)
        setColumnWidth(number, widthOf(RunField::Number) + (m_model.isGrouped() ? 2 * kIndent : 0));
    showColumns();
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
    const RunEntry* current = m_model.entryAt(currentIndex());
    if (event->key() == Qt::Key_B && event->modifiers() == Qt::NoModifier && current) {
        emit baselineAsked(current->row.id);
        return;
    }
    QTreeView::keyPressEvent(event);
}

} // namespace stageloom
