// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/share_delegate.h"

#include "ui/model/layers_model.h"
#include "ui/theme/theme.h"
#include <QPainter>
#include <algorithm>

namespace stageloom {

namespace {

constexpr double kNumber = 56, kBarHeight = 8, kPad = 8; // px

} // namespace

QRectF shareBar(const QRectF& cell, double share, double largest, bool mirrored)
{
    const double room = std::max(0.0, cell.width() - kNumber - 2 * kPad);
    const double wide = largest > 0 ? room * std::clamp(share / largest, 0.0, 1.0) : 0;
    const double left = mirrored ? cell.right() - kPad - wide : cell.left() + kPad;
    return { left, cell.center().y() - kBarHeight / 2, wide, kBarHeight };
}

void ShareDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index); // ground, selection and number
    const double share = index.data(LayersModel::ShareRole).toDouble();
    const double largest = index.data(LayersModel::LargestShareRole).toDouble();
    const QRectF bar
        = shareBar(QRectF(option.rect), share, largest, option.direction == Qt::RightToLeft);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(Theme::mix(theme().accent, theme().panel, 0.55));
    painter->drawRoundedRect(bar, 2, 2);
    painter->restore();
}

} // namespace stageloom
