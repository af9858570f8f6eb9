// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/totals_row.h"

#include "ui/model/layers_model.h"
#include "ui/model/number_cells.h"
#include "ui/theme/theme.h"
#include <QHeaderView>
#include <QPainter>

namespace stageloom {

TotalsRow::TotalsRow(const LayersModel& layers, QHeaderView* header, QWidget* parent)
    : QWidget(parent)
    , m_layers(layers)
    , m_header(header)
{
    setAccessibleName(tr("Sums of all layers"));
    setToolTip(tr("Sums of all layers, whether the search shows them or not"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto repaint = qOverload<>(&QWidget::update);
    connect(header, &QHeaderView::sectionResized, this, repaint);
    connect(header, &QHeaderView::geometriesChanged, this, repaint);
    connect(&layers, &QAbstractItemModel::modelReset, this, repaint);
    connect(&layers, &QAbstractItemModel::dataChanged, this, repaint);
}

QSize TotalsRow::sizeHint() const
{
    return { 100, Theme::kRowHeight };
}

void TotalsRow::paintEvent(QPaintEvent*)
{
    const Theme& look = theme();
    QPainter painter(this);
    painter.setPen(look.line);
    painter.drawLine(0, 0, width(), 0);
    QFont font = look.valueFont();
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.setPen(look.text);
    for (int column = 0; column < LayersModel::ColumnCount; ++column) {
        if (m_header->isSectionHidden(column))
            continue;
        const QRect cell(
            m_header->sectionViewportPosition(column), 0, m_header->sectionSize(column), height());
        if (column > LayersModel::Shape)
            paintNumber(painter, QRectF(cell), m_layers.total(column));
        else
            painter.drawText(cell.adjusted(8, 0, -8, 0), Qt::AlignVCenter | Qt::AlignLeading,
                m_layers.total(column));
    }
}

} // namespace stageloom
