// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace stageloom {

// A number in `cell` with its point where every other number of the column has it; words and "–"
// end at the cell's end.
void paintNumber(QPainter& painter, const QRectF& cell, const QString& text);

// Cells of a table of layers: numbers under one another by their points.
class NumberCells : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(
        const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace stageloom
