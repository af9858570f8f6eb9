// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layer_strip.h"

#include "core/base/units.h"
#include "ui/model/layer_strip_layout.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace stageloom {

namespace {

constexpr double kLeast = 6, kGap = 2, kTieRoom = 16; // px

} // namespace

LayerStrip::LayerStrip(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Layers from first to last"));
    setAccessibleDescription(tr("Up and Down choose a layer"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    connect(&themeNotifier(), &ThemeNotifier::changed, this, qOverload<>(&QWidget::update));
}

void LayerStrip::setLayers(const std::vector<Layer>& layers)
{
    m_layers = layers;
    m_current = m_hovered = -1;
    m_kept.clear();
    setValues(m_measure, std::vector<double>(layers.size(), 0));
}

void LayerStrip::setValues(LayerMeasure measure, std::vector<double> values)
{
    m_measure = measure;
    m_values = std::move(values);
    m_values.resize(m_layers.size());
    m_largest = m_values.empty() ? 0 : *std::max_element(m_values.begin(), m_values.end());
    place();
    update();
}

void LayerStrip::place()
{
    const bool ties = std::any_of(
        m_layers.begin(), m_layers.end(), [](const Layer& layer) { return !layer.tiedTo.empty(); });
    const double room = ties ? kTieRoom : 0;
    const bool mirrored = isRightToLeft();
    const QRectF area(mirrored ? room + 2 : 2, 2, width() - 4 - room, height() - 4);
    m_blocks = stackedBlocks(m_values, area, kLeast, kGap);
}

QRectF LayerStrip::blockRect(int layer) const
{
    return layer >= 0 && layer < static_cast<int>(m_blocks.size())
        ? m_blocks[static_cast<std::size_t>(layer)]
        : QRectF();
}

void LayerStrip::resizeEvent(QResizeEvent*)
{
    place();
}

void LayerStrip::setCurrent(int layer)
{
    m_current = layer < static_cast<int>(m_layers.size()) ? layer : -1;
    update();
}

void LayerStrip::setKept(std::vector<bool> kept)
{
    m_kept = std::move(kept);
    update();
}

void LayerStrip::choose(int layer)
{
    if (layer < 0 || layer >= static_cast<int>(m_layers.size()) || layer == m_current)
        return;
    setCurrent(layer);
    emit layerChosen(layer);
}

void LayerStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        choose(blockAt(m_blocks, event->position().y()));
}

void LayerStrip::mouseMoveEvent(QMouseEvent* event)
{
    m_hovered = blockAt(m_blocks, event->position().y());
    update();
}

void LayerStrip::leaveEvent(QEvent*)
{
    m_hovered = -1;
    update();
}

void LayerStrip::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_layers.size()) - 1;
    constexpr int kPage = 8;
    switch (event->key()) {
    case Qt::Key_Up:
        return choose(std::max(0, m_current - 1));
    case Qt::Key_Down:
        return choose(std::min(last, m_current + 1));
    case Qt::Key_PageUp:
        return choose(std::max(0, m_current - kPage));
    case Qt::Key_PageDown:
        return choose(std::min(last, m_current + kPage));
    case Qt::Key_Home:
        return choose(0);
    case Qt::Key_End:
        return choose(last);
    default:
        QWidget::keyPressEvent(event);
    }
}

QString LayerStrip::layerText(int layer) const
{
    const Layer& l = m_layers[static_cast<std::size_t>(layer)];
    return tr("%1: %2 parameters, %3 forward, %4 kept for backward")
        .arg(QString::fromStdString(l.name), countText(static_cast<double>(l.parameters)),
            flopsText(l.forwardFlops), bytesText(l.stashBytes));
}

bool LayerStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const int layer = blockAt(m_blocks, help->pos().y()); layer >= 0)
        QToolTip::showText(help->globalPos(), layerText(layer), this);
    return true;
}

void LayerStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    constexpr double kPale = 0.28;
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        painter.setOpacity(i < m_kept.size() && !m_kept[i] ? kPale : 1);
        paintBlock(painter, i);
    }
    painter.setOpacity(1);
    paintTies(painter);
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
}

void LayerStrip::paintBlock(QPainter& painter, std::size_t layer) const
{
    const Theme& look = theme();
    const QRectF box = m_blocks[layer];
    const double strength = m_largest > 0 ? m_values[layer] / m_largest : 0;
    const QColor fill = Theme::mix(look.accent, look.panel, 0.16 + 0.64 * strength);
    const bool chosen = static_cast<int>(layer) == m_current;
    const double corner = std::min(4.0, box.height() / 3);
    const QColor edge = static_cast<int>(layer) == m_hovered ? look.accent : look.line;
    painter.setPen(chosen                          ? QPen(look.text, 2)
            : static_cast<int>(layer) == m_hovered ? QPen(edge, 1.5)
                                                   : QPen(Qt::NoPen));
    painter.setBrush(fill);
    painter.drawRoundedRect(chosen ? box.adjusted(1, 0, -1, 0) : box, corner, corner);
    const QFontMetricsF metrics(look.captionFont());
    if (box.height() < metrics.height())
        return;
    painter.setFont(look.captionFont());
    painter.setPen(look.textOn(fill));
    const QRectF inner = box.adjusted(8, 0, -8, 0);
    const QString name = QString::fromStdString(m_layers[layer].name);
    const QString value = measureText(m_measure, m_values[layer]);
    const bool both
        = metrics.horizontalAdvance(name) + metrics.horizontalAdvance(value) + 12 < inner.width();
    painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeading,
        metrics.elidedText(name, Qt::ElideRight, inner.width()));
    if (both)
        painter.drawText(inner, Qt::AlignVCenter | Qt::AlignTrailing, value);
}

void LayerStrip::paintTies(QPainter& painter) const
{
    painter.setPen(QPen(theme().muted, 1.5));
    painter.setBrush(Qt::NoBrush);
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        const auto owner = std::find_if(m_layers.begin(), m_layers.end(),
            [&](const Layer& layer) { return layer.name == m_layers[i].tiedTo; });
        if (m_layers[i].tiedTo.empty() || owner == m_layers.end())
            continue;
        const QRectF& from = m_blocks[i];
        const QRectF& to = m_blocks[static_cast<std::size_t>(owner - m_layers.begin())];
        const double out = isRightToLeft() ? -1 : 1;
        const double edge = isRightToLeft() ? from.left() : from.right();
        painter.drawPolyline(QPolygonF({ QPointF(edge + out * 2, from.center().y()),
            QPointF(edge + out * 9, from.center().y()), QPointF(edge + out * 9, to.center().y()),
            QPointF(edge + out * 2, to.center().y()) }));
    }
}

std::vector<std::pair<QString, QString>> LayerStrip::shortcuts()
{
    return { { tr("Up · Down"), tr("from block to block") },
        { tr("Page up · Page down"), tr("a page of blocks back or on") },
        { tr("Home · End"), tr("first and last block") } };
}

} // namespace stageloom
