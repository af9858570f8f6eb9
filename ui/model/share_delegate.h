// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace stageloom {

// A cell of LayersModel::Share: a bar against the largest share, and the number.
class ShareDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
};

// The bar inside a cell: left of the number, as long as `share` of `largest`. `mirrored`: from the
// right.
QRectF shareBar(const QRectF& cell, double share, double largest, bool mirrored);

} // namespace stageloom
