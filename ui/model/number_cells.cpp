// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/number_cells.h"

#include "ui/model/layers_model.h"
#include "ui/theme/theme.h"
#include <QPainter>

namespace stageloom {

namespace {

constexpr double kPad = 8; // px
constexpr int kRow = 26;

} // namespace

void paintNumber(QPainter& painter, const QRectF& cell, const QString& text)
{
    const QFontMetricsF metrics(painter.font());
    const double point = cell.right() - kPad - metrics.horizontalAdvance(QStringLiteral(".00"));
    const QRectF before(cell.left(), cell.top(), point - cell.left(), cell.height());
    const auto split = text.indexOf(u'.');
    if (split < 0) { // whole numbers and "–" end at the point
        painter.drawText(before, Qt::AlignVCenter | Qt::AlignRight, text);
        return;
    }
    painter.drawText(before, Qt::AlignVCenter | Qt::AlignRight, text.left(split));
    painter.drawText(QRectF(point, cell.top(), cell.right() - point, cell.height()),
        Qt::AlignVCenter | Qt::AlignLeft, text.mid(split));
}

void NumberCells::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& look = theme();
    QStyleOptionViewItem cell = option;
    cell.font.setWeight(
        index.data(LayersModel::StrongRole).toBool() ? QFont::DemiBold : QFont::Normal);
    const int column = index.column();
    if (column == LayersModel::Shape)
        cell.palette.setColor(QPalette::Text, look.muted);
    if (column <= LayersModel::Shape) {
        if (column == LayersModel::Shape)
            cell.font.setWeight(QFont::Normal);
        cell.decorationSize = QSize(8, 8);
        QStyledItemDelegate::paint(painter, cell, index);
        return;
    }
    const QString text = index.data().toString();
    // The ground and the selection, without the text.
    const QStyle* style = option.widget->style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, option.widget);
    painter->save();
    const bool isNumber = !text.isEmpty() && (text[0].isDigit() || text[0] == u'<');
    if (isNumber || text == QStringLiteral("–")) {
        painter->setFont(cell.font);
        painter->setPen(isNumber ? look.text : look.muted);
        paintNumber(*painter, QRectF(option.rect), text);
    } else {
        painter->setFont(look.captionFont());
        painter->setPen(look.muted);
        painter->drawText(QRectF(option.rect).adjusted(0, 0, -kPad, 0),
            Qt::AlignVCenter | Qt::AlignRight,
            QFontMetricsF(look.captionFont())
                .elidedText(text, Qt::ElideRight, option.rect.width() - kPad));
    }
    painter->restore();
}

QSize NumberCells::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return { QStyledItemDelegate::sizeHint(option, index).width(), kRow };
}

} // namespace stageloom
