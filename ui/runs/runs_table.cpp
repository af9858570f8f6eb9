// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_table.h"

#include "ui/runs/runs_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/copy_rows.h"
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSettings>
#include <cmath>

namespace stageloom {

namespace {

constexpr int kIndent = 16; // of runs in their section
// By the fields' keys, so that a column more shifts none of them.
constexpr auto kOrderKey = "runs/column_order";
constexpr auto kHiddenKey = "runs/columns_hidden";
constexpr auto kWidthsKey = "runs/column_widths"; // dragged ones: "name:120"
constexpr auto kSortKey = "runs/sort"; // "-run": descending
constexpr auto kHidesSameKey = "runs/hides_same";
constexpr int kMeasured = 500; // rows whose words are measured

QString keyOfColumn(int column)
{
    return QLatin1String(fieldInfo(static_cast<RunField>(column)).key);
}

int columnOfKey(const QString& key)
{
    for (int i = 0; i < kRunFields; ++i)
        if (keyOfColumn(i) == key)
            return i;
    return -1;
}

int leastWidth(RunField field)
{
    return field == RunField::Tags ? 84
        : field == RunField::Notes ? 48
        : field == RunField::Name  ? 140
                                   : 64;
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
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setDragEnabled(false);
    setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    setExpandsOnDoubleClick(true);
    setTextElideMode(Qt::ElideRight);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setToolTip(tr("Tick runs to see and compare them (Space, Ctrl+click; Esc leaves only the "
                  "current one); double-click or F2 writes names, tags and notes, B pins the "
                  "baseline, Ctrl+C copies, Del deletes"));
    setUpColumns();
    letCopyRows(*this);
    connect(&model, &QAbstractItemModel::modelReset, this, &RunsTable::restore);
    connect(&model, &QAbstractItemModel::dataChanged, this, [this] {
        measureColumns();
        showColumns();
    });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!m_restoring)
            noteChosen();
    });
    connect(this, &QTreeView::collapsed, this, [this](const QModelIndex& i) {
        m_closed.insert(m_model.sectionTitle(i.row()));
        emit contentHeightChanged();
    });
    connect(this, &QTreeView::expanded, this, [this](const QModelIndex& i) {
        m_closed.remove(m_model.sectionTitle(i.row()));
        if (!m_restoring)
            emit contentHeightChanged();
    });
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
    m_wanted.assign(kRunFields, 64);
    for (int i = 0; i < kRunFields; ++i)
        m_shownColumns[static_cast<std::size_t>(i)] = !fieldInfo(static_cast<RunField>(i)).optional;
    if (settings.contains(QLatin1String(kHiddenKey))) {
        m_shownColumns.assign(kRunFields, true);
        for (const QString& key : settings.value(QLatin1String(kHiddenKey)).toStringList())
            if (const int i = columnOfKey(key); i > 0)
                m_shownColumns[static_cast<std::size_t>(i)] = false;
    }
    int place = 0;
    for (const QString& key : settings.value(QLatin1String(kOrderKey)).toStringList())
        if (const int i = columnOfKey(key); i >= 0)
            header()->moveSection(header()->visualIndex(i), place++);
    for (const QString& part : settings.value(QLatin1String(kWidthsKey)).toStringList())
        if (const int i = columnOfKey(part.section(u':', 0, 0)); i >= 0) {
            m_ownWidths = true;
            setColumnWidth(i, part.section(u':', 1).toInt());
        }
    QString sort = settings.value(QLatin1String(kSortKey)).toString();
    const bool descending = sort.startsWith(u'-');
    if (const int i = columnOfKey(descending ? sort.mid(1) : sort); i >= 0)
        sortByColumn(i, descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    m_hidesSame = settings.value(QLatin1String(kHidesSameKey), false).toBool();
    showColumns();
}

// Differences without a baseline are empty for all.
bool RunsTable::isBarred(RunField field) const
{
    const bool difference = field == RunField::ValidationDelta || field == RunField::RateDelta;
    const RunEntries& entries = m_model.entries();
    return difference && (entries->empty() || !entries->front().difference);
}

void RunsTable::showColumns()
{
    m_fitting = true; // what is laid out here no hand has dragged
    for (int i = 0; i < kRunFields; ++i) {
        const auto field = static_cast<RunField>(i);
        const bool named = field == RunField::Number || field == RunField::Name;
        const bool same = m_hidesSame && !named && m_model.isSameForAll(field);
        if (const bool hidden
            = !m_shownColumns[static_cast<std::size_t>(i)] || same || isBarred(field);
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
    fitColumns();
    saveColumns();
}

// Of each column the longest words of the first rows; numbers are as wide as their digits.
void RunsTable::measureColumns()
{
    constexpr int kPadding = 18, kWidestName = 220, kWidestNote = 180; // px
    const QFontMetrics plain(theme().valueFont());
    QFont heavy = theme().valueFont();
    heavy.setBold(true); // the current row
    const QFontMetrics bold(heavy);
    const std::vector<RunEntry>& entries = *m_model.entries();
    const std::size_t rows = std::min<std::size_t>(entries.size(), kMeasured);
    for (int i = 0; i < kRunFields; ++i) {
        const auto field = static_cast<RunField>(i);
        if (!m_shownColumns[static_cast<std::size_t>(i)])
            continue;
        QString longest;
        for (std::size_t row = 0; row < rows; ++row)
            if (QString text = textOf(entries[row], field).simplified();
                text.size() > longest.size())
                longest = std::move(text);
        int width = bold.horizontalAdvance(longest) + kPadding;
        if (field == RunField::Number)
            width += kTick + (m_model.isGrouped() ? kIndent : 0);
        if (field == RunField::State)
            width += 18; // its dot
        if (field == RunField::Name)
            width = std::min(width + 20, kWidestName); // the baseline's pin
        if (fieldInfo(field).shrinks == Shrinks::First)
            width = std::min(width + 24, kWidestNote);
        const int head = plain.horizontalAdvance(titleOf(field) + QStringLiteral(" ▾")) + kPadding;
        m_wanted[static_cast<std::size_t>(i)] = std::max(width, head);
    }
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

// Tags and notes give their room first, then names and the like; numbers never.
void RunsTable::fitColumns()
{
    if (m_ownWidths)
        return;
    std::vector<int> widths = m_wanted;
    int over = -viewport()->width();
    for (int i = 0; i < kRunFields; ++i)
        over += isColumnHidden(i) ? 0 : widths[static_cast<std::size_t>(i)];
    for (const Shrinks turn : { Shrinks::First, Shrinks::Last }) {
        int spare = 0;
        const auto givesWay = [&](int i) {
            return !isColumnHidden(i) && fieldInfo(static_cast<RunField>(i)).shrinks == turn;
        };
        const auto spareOf = [&](int i) {
            return std::max(
                0, widths[static_cast<std::size_t>(i)] - leastWidth(static_cast<RunField>(i)));
        };
        for (int i = 0; i < kRunFields; ++i)
            spare += givesWay(i) ? spareOf(i) : 0;
        if (over <= 0 || spare == 0)
            continue;
        const double share = std::min(1.0, static_cast<double>(over) / spare);
        for (int i = 0; i < kRunFields; ++i)
            if (givesWay(i)) {
                const int less = static_cast<int>(std::ceil(share * spareOf(i)));
                widths[static_cast<std::size_t>(i)] -= less;
                over -= less;
            }
    }
    m_fitting = true;
    for (int i = 0; i < kRunFields; ++i)
        if (!isColumnHidden(i))
            setColumnWidth(i, widths[static_cast<std::size_t>(i)]);
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
    QStringList order, hidden, widths;
    for (int place = 0; place < kRunFields; ++place)
        order << keyOfColumn(header()->logicalIndex(place));
    for (int i = 0; i < kRunFields; ++i) {
        if (!m_shownColumns[static_cast<std::size_t>(i)])
            hidden << keyOfColumn(i);
        if (m_ownWidths && !isColumnHidden(i))
            widths << QStringLiteral("%1:%2").arg(keyOfColumn(i)).arg(columnWidth(i));
    }
    settings.setValue(QLatin1String(kOrderKey), order);
    settings.setValue(QLatin1String(kHiddenKey), hidden);
    settings.setValue(QLatin1String(kWidthsKey), widths);
    settings.setValue(QLatin1String(kSortKey),
        (header()->sortIndicatorOrder() == Qt::DescendingOrder ? QStringLiteral("-") : QString())
            + keyOfColumn(header()->sortIndicatorSection()));
    settings.setValue(QLatin1String(kHidesSameKey), m_hidesSame);
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
    const RunEntry* at = m_model.entryAt(currentIndex());
    const RunId current = at ? at->row.id : chosen.empty() ? RunId {} : chosen.front();
    const bool moved = std::exchange(m_currentRun, current) != current;
    if (std::exchange(m_chosen, chosen) != chosen || moved)
        emit chosenChanged();
}

void RunsTable::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTreeView::currentChanged(current, previous);
    viewport()->update(); // the whole row shows which it is
    if (!m_restoring)
        noteChosen();
}

QItemSelectionModel::SelectionFlags RunsTable::selectionCommand(
    const QModelIndex& index, const QEvent* event) const
{
    using Flags = QItemSelectionModel;
    const QEvent::Type type = event ? event->type() : QEvent::None;
    if (type == QEvent::MouseButtonRelease || type == QEvent::MouseMove)
        return Flags::NoUpdate; // nothing is swept
    if (type == QEvent::MouseButtonPress || type == QEvent::MouseButtonDblClick) {
        const auto& mouse = *static_cast<const QMouseEvent*>(event);
        const QRect cell = visualRect(index.siblingAtColumn(0));
        const int x = mouse.position().toPoint().x();
        const bool tick
            = index.column() == 0 && (isRightToLeft() ? cell.right() - x : x - cell.left()) < kTick;
        if (mouse.button() == Qt::LeftButton
            && (tick || mouse.modifiers().testFlag(Qt::ControlModifier)))
            return Flags::Toggle | Flags::Rows;
        if (mouse.modifiers().testFlag(Qt::ShiftModifier))
            return QTreeView::selectionCommand(index, event);
    }
    if (type == QEvent::KeyPress) {
        const auto& key = *static_cast<const QKeyEvent*>(event);
        if (key.key() == Qt::Key_Space)
            return Flags::Toggle | Flags::Rows;
        if (key.modifiers() & (Qt::ShiftModifier | Qt::ControlModifier))
            return QTreeView::selectionCommand(index, event);
    }
    return m_chosen.size() > 1 ? Flags::SelectionFlags(Flags::NoUpdate)
                               : Flags::ClearAndSelect | Flags::Rows;
}

int RunsTable::contentHeight() const
{
    int rows = m_model.rowCount();
    if (m_model.isGrouped())
        for (int s = 0; s < m_model.rowCount(); ++s)
            if (const QModelIndex section = m_model.index(s, 0); isExpanded(section))
                rows += m_model.rowCount(section);
    return header()->sizeHint().height() + rows * kRow + 2 * frameWidth() + 2;
}

// Why a run failed stands in its row, where it has no numbers.
void RunsTable::drawRow(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QTreeView::drawRow(painter, option, index);
    const RunEntry* entry = m_model.entryAt(index);
    if (!entry || entry->row.failure.empty())
        return;
    QRect widest, run;
    for (int place = 0; place < kRunFields; ++place) {
        const int column = header()->logicalIndex(place);
        if (isColumnHidden(column))
            continue;
        const auto field = static_cast<RunField>(column);
        const bool free = textOf(*entry, field).isEmpty() && !fieldInfo(field).writable;
        const QRect cell = visualRect(index.siblingAtColumn(column));
        run = free ? run.united(cell) : QRect();
        if (run.width() > widest.width())
            widest = run;
    }
    if (widest.isEmpty())
        return;
    painter->save();
    painter->setPen(theme().bad);
    painter->setFont(theme().captionFont());
    const QRect place = widest.adjusted(8, 0, -8, 0);
    painter->drawText(place, Qt::AlignVCenter | Qt::AlignLeading,
        painter->fontMetrics().elidedText(QString::fromStdString(entry->row.failure).simplified(),
            Qt::ElideRight, place.width()));
    painter->restore();
}

// The indentation of a run belongs to its row, not to a selection.
void RunsTable::drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const
{
    const bool section = m_model.entryAt(index) == nullptr;
    painter->fillRect(rect, section ? theme().ground : theme().panel);
    if (section)
        QTreeView::drawBranches(painter, rect, index);
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
    m_restoring = true;
    measureColumns();
    showColumns();
    if (m_model.isGrouped())
        for (int s = 0; s < m_model.rowCount(); ++s) {
            setFirstColumnSpanned(s, {}, true);
            setExpanded(m_model.index(s, 0), !m_closed.contains(m_model.sectionTitle(s)));
        }
    setAutoScroll(false); // what was in sight stays
    choose(m_chosen);
    if (const QModelIndex current = m_model.indexOf(m_current); current.isValid())
        selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
    setAutoScroll(true);
    m_restoring = false;
    if (const QModelIndex top = m_model.indexOf(m_top); m_top.valid() && top.isValid())
        scrollTo(top, QAbstractItemView::PositionAtTop);
    noteChosen();
    emit contentHeightChanged();
}

void RunsTable::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Delete) {
        emit deleteAsked();
        return;
    }
    const RunEntry* current = m_model.entryAt(currentIndex());
    if (event->key() == Qt::Key_Escape && m_chosen.size() > 1 && current) {
        choose(current->row.id);
        return;
    }
    if (event->key() == Qt::Key_B && event->modifiers() == Qt::NoModifier && current) {
        emit baselineAsked(current->row.id);
        return;
    }
    QTreeView::keyPressEvent(event);
}

} // namespace stageloom
