// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/copy_rows.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QShortcut>
#include <QTableView>
#include <QTreeView>

namespace stageloom {

namespace {

const QHeaderView* headerOf(const QAbstractItemView& view)
{
    if (const auto* table = qobject_cast<const QTableView*>(&view))
        return table->horizontalHeader();
    if (const auto* tree = qobject_cast<const QTreeView*>(&view))
        return tree->header();
    return nullptr;
}

// A cell is one line between two tabs.
QString cell(const QVariant& value)
{
    return value.toString().simplified();
}

} // namespace

QString selectedRowsText(const QAbstractItemView& view)
{
    const QHeaderView* header = headerOf(view);
    if (!header || !view.selectionModel()->hasSelection())
        return {};
    std::vector<int> columns; // as they stand
    for (int i = 0; i < header->count(); ++i)
        if (const int column = header->logicalIndex(i); !header->isSectionHidden(column))
            columns.push_back(column);
    QModelIndexList rows;
    for (const QItemSelectionRange& range : view.selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows << view.model()->index(row, 0, range.parent());
    std::sort(rows.begin(), rows.end(), [](const QModelIndex& a, const QModelIndex& b) {
        return std::pair(a.parent().row(), a.row()) < std::pair(b.parent().row(), b.row());
    });
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    QStringList lines, titles;
    for (const int column : columns)
        titles << cell(view.model()->headerData(column, Qt::Horizontal, Qt::DisplayRole));
    lines << titles.join(u'\t');
    for (const QModelIndex& row : rows) {
        QStringList cells;
        for (const int column : columns)
            cells << cell(row.siblingAtColumn(column).data());
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n') + u'\n';
}

void copyRows(const QAbstractItemView& view)
{
    if (const QString text = selectedRowsText(view); !text.isEmpty())
        QApplication::clipboard()->setText(text);
}

void letCopyRows(QAbstractItemView& view)
{
    auto* copy = new QShortcut(QKeySequence::Copy, &view);
    copy->setContext(Qt::WidgetWithChildrenShortcut);
    QObject::connect(copy, &QShortcut::activated, &view, [&view] { copyRows(view); });
}

} // namespace stageloom
