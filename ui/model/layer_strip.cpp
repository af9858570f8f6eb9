// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layer_strip.h"

#include "ui/model/layer_strip_layout.h"
#include "ui/model/layers_model.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <numeric>

namespace stageloom {

namespace {

constexpr double kLeast = 6, kGap = 1.5, kStageRoom = 26, kFan = 22; // px
constexpr double kModelShare = 0.47; // of the width without stage numbers and fan

double shareOf(const std::vector<double>& values, std::size_t i)
{
    const double all = std::accumulate(values.begin(), values.end(), 0.0);
    return all > 0 ? values[i] / all : 0;
}

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
    m_current = m_part = -1;
    m_hovered = {};
    m_kept.clear();
    m_stages.clear();
    m_parts.clear();
    m_partValues.clear();
    setValues(m_measure, std::vector<double>(layers.size(), 0));
}

void LayerStrip::setValues(LayerMeasure measure, std::vector<double> values)
{
    m_measure = measure;
    m_values = std::move(values);
    m_values.resize(m_layers.size());
    place();
    update();
}

void LayerStrip::setStages(std::vector<int> stageOf)
{
    m_stages = std::move(stageOf);
    if (m_stages.size() != m_layers.size())
        m_stages.clear();
    place();
    update();
}

void LayerStrip::setParts(std::vector<Operator> parts, std::vector<double> values)
{
    m_parts = std::move(parts);
    m_partValues = std::move(values);
    const bool any = std::any_of(
        m_partValues.begin(), m_partValues.end(), [](double value) { return value > 0; });
    if (!any || m_partValues.size() != m_parts.size()) {
        m_parts.clear();
        m_partValues.clear();
    }
    place();
    update();
}

void LayerStrip::place()
{
    const double left = m_stages.empty() ? 0 : kStageRoom;
    const double room = width() - 2 - left;
    const double wide = m_parts.empty() ? room : (room - kFan) * kModelShare;
    QRectF area(1 + left, 1, wide, height() - 2);
    QRectF beside(area.right() + kFan, 1, room - wide - kFan, height() - 2);
    if (isRightToLeft()) {
        area.moveRight(width() - area.left());
        beside.moveRight(width() - beside.left());
    }
    m_blocks = stackedBlocks(m_values, area, kLeast, kGap);
    m_partRects = m_parts.empty() ? std::vector<QRectF>()
                                  : stackedBlocks(m_partValues, beside, kLeast, kGap);
}

QRectF LayerStrip::blockRect(int layer) const
{
    return layer >= 0 && layer < static_cast<int>(m_blocks.size())
        ? m_blocks[static_cast<std::size_t>(layer)]
        : QRectF();
}

QRectF LayerStrip::partRect(int part) const
{
    return part >= 0 && part < static_cast<int>(m_partRects.size())
        ? m_partRects[static_cast<std::size_t>(part)]
        : QRectF();
}

int LayerStrip::shownLayer() const
{
    if (m_current >= 0)
        return m_current;
    const int count = static_cast<int>(m_layers.size());
    for (int i = count / 2; i < count; ++i)
        if (m_layers[static_cast<std::size_t>(i)].kind == LayerKind::Block)
            return i;
    return count > 1 ? 1 : count - 1;
}

void LayerStrip::resizeEvent(QResizeEvent*)
{
    place();
}

void LayerStrip::setCurrent(int layer, int part)
{
    // One of several equal blocks was chosen here: an operator of the fold does not move it.
    const bool same = m_current >= 0 && layer >= 0 && part >= 0
        && m_layers[static_cast<std::size_t>(m_current)].kind
            == m_layers[static_cast<std::size_t>(layer)].kind;
    if (!same)
        m_current = layer < static_cast<int>(m_layers.size()) ? layer : -1;
    m_part = part;
    update();
}

void LayerStrip::setKept(std::vector<bool> kept)
{
    m_kept = std::move(kept);
    update();
}

void LayerStrip::choose(int layer, int part)
{
    if (layer < 0 || layer >= static_cast<int>(m_layers.size())
        || (layer == m_current && part == m_part))
        return;
    m_current = layer;
    m_part = part;
    update();
    setAccessibleDescription(text({ layer, part }));
    QAccessibleEvent said(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&said);
    emit chosen(layer, part);
}

LayerStrip::Hit LayerStrip::at(const QPointF& point) const
{
    if (!m_partRects.empty()) {
        const QRectF& first = m_partRects.front();
        if (point.x() >= first.left() && point.x() <= first.right())
            return { shownLayer(), blockAt(m_partRects, point.y()) };
    }
    return { blockAt(m_blocks, point.y()), -1 };
}

void LayerStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const Hit hit = at(event->position());
    choose(hit.layer, hit.part);
}

void LayerStrip::mouseMoveEvent(QMouseEvent* event)
{
    const Hit hit = at(event->position());
    if (hit == m_hovered)
        return;
    m_hovered = hit;
    update();
}

void LayerStrip::leaveEvent(QEvent*)
{
    m_hovered = {};
    update();
}

void LayerStrip::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_layers.size()) - 1;
    constexpr int kPage = 8;
    switch (event->key()) {
    case Qt::Key_Up:
        return choose(std::max(0, m_current - 1), -1);
    case Qt::Key_Down:
        return choose(std::min(last, m_current + 1), -1);
    case Qt::Key_PageUp:
        return choose(std::max(0, m_current - kPage), -1);
    case Qt::Key_PageDown:
        return choose(std::min(last, m_current + kPage), -1);
    case Qt::Key_Home:
        return choose(0, -1);
    case Qt::Key_End:
        return choose(last, -1);
    default:
        QWidget::keyPressEvent(event);
    }
}

QString LayerStrip::text(const Hit& hit) const
{
    if (hit.part >= 0) {
        const auto part = static_cast<std::size_t>(hit.part);
        return tr("%1: %2, %3 of its layer")
            .arg(QString::fromStdString(m_parts[part].name),
                measureText(m_measure, m_partValues[part]),
                percentText(shareOf(m_partValues, part)));
    }
    const Layer& l = m_layers[static_cast<std::size_t>(hit.layer)];
    QString words
        = tr("%1: %2 parameters, %3 forward, stash %4")
              .arg(QString::fromStdString(l.name), countText(static_cast<double>(l.parameters)),
                  flopsText(l.forwardFlops), bytesText(l.stashBytes));
    if (!m_stages.empty())
        words += tr(", stage %1").arg(m_stages[static_cast<std::size_t>(hit.layer)]);
    return words;
}

bool LayerStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const Hit hit = at(QPointF(help->pos())); hit.layer >= 0)
        QToolTip::showText(help->globalPos(), text(hit), this);
    else
        QToolTip::hideText();
    return true;
}

void LayerStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintParts(painter);
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        painter.setOpacity(m_kept.empty() || m_kept[i] ? 1 : 0.25);
        paintBlock(painter, i);
    }
    painter.setOpacity(1);
    paintStages(painter);
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
}

// A bar beside a stage's layers, and its number.
void LayerStrip::paintStages(QPainter& painter) const
{
    const Theme& look = theme();
    QFont font = look.captionFont();
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    for (std::size_t first = 0, last = 0; first < m_stages.size(); first = last + 1) {
        for (last = first; last + 1 < m_stages.size() && m_stages[last + 1] == m_stages[first];)
            ++last;
        const QRectF range = m_blocks[first].united(m_blocks[last]);
        const bool mirrored = isRightToLeft();
        const double bar = mirrored ? range.right() + 5 : range.left() - 9;
        painter.setPen(Qt::NoPen);
        painter.setBrush(look.stageBrush(m_stages[first]));
        painter.drawRoundedRect(QRectF(bar, range.top(), 4, range.height()), 2, 2);
        if (range.height() < QFontMetricsF(font).height() - 2)
            continue;
        painter.setPen(look.text);
        painter.drawText(
            QRectF(mirrored ? bar + 5 : 0, range.top(), kStageRoom - 12, range.height()),
            Qt::AlignCenter, QString::number(m_stages[first]));
    }
}

void LayerStrip::paintBlock(QPainter& painter, std::size_t layer) const
{
    const Theme& look = theme();
    const QRectF box = m_blocks[layer];
    const bool chosen = static_cast<int>(layer) == m_current;
    const QColor hue = m_stages.empty() ? look.accent : look.stage(m_stages[layer]);
    const QColor fill = Theme::mix(hue, look.panel, chosen ? 1 : 0.42);
    const double corner = std::min(3.0, box.height() / 3);
    const bool hovered = static_cast<int>(layer) == m_hovered.layer && m_hovered.part < 0;
    painter.setPen(chosen ? QPen(look.text, 1.5) : hovered ? QPen(hue, 1.5) : QPen(Qt::NoPen));
    painter.setBrush(fill);
    painter.drawRoundedRect(box, corner, corner);
    const QFontMetricsF metrics(look.captionFont());
    if (box.height() < metrics.height() - 3)
        return;
    painter.setFont(look.captionFont());
    painter.setPen(look.textOn(fill));
    painter.drawText(box.adjusted(1, 0, -1, 0), Qt::AlignCenter,
        metrics.elidedText(
            QString::fromStdString(m_layers[layer].name), Qt::ElideRight, box.width() - 2));
}

void LayerStrip::paintParts(QPainter& painter) const
{
    const int shown = shownLayer();
    if (m_partRects.empty() || shown < 0)
        return;
    const Theme& look = theme();
    // From the layer to its parts.
    const QRectF from = m_blocks[static_cast<std::size_t>(shown)];
    const QRectF to = m_partRects.front().united(m_partRects.back());
    const bool mirrored = isRightToLeft();
    const double near = mirrored ? from.left() - 2 : from.right() + 2;
    const double far = mirrored ? to.right() + 2 : to.left() - 2;
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.track);
    painter.drawPolygon(QPolygonF({ QPointF(near, from.top()), QPointF(far, to.top()),
        QPointF(far, to.bottom()), QPointF(near, from.bottom()) }));
    const QFontMetricsF metrics(look.captionFont());
    painter.setFont(look.captionFont());
    for (std::size_t i = 0; i < m_partRects.size(); ++i) {
        const QRectF& box = m_partRects[i];
        const QColor fill = partColour(m_parts[i].part);
        const bool chosen = static_cast<int>(i) == m_part;
        const bool hovered = static_cast<int>(i) == m_hovered.part;
        painter.setPen(chosen || hovered ? QPen(look.accent, 2) : QPen(Qt::NoPen));
        painter.setBrush(fill);
        painter.drawRoundedRect(box, 2, 2);
        painter.setPen(look.textOn(fill));
        if (box.height() < metrics.height() - 2)
            continue;
        const QString share = percentText(shareOf(m_partValues, i));
        const QString name = QString::fromStdString(m_parts[i].name);
        const bool two = box.height() > 2 * metrics.height() + 2;
        const QString one = name + u' ' + share;
        QString words = two ? name + u'\n' + share : one;
        if (!two && metrics.horizontalAdvance(one) > box.width() - 6)
            words = metrics.elidedText(name, Qt::ElideRight, box.width() - 6);
        painter.drawText(box, Qt::AlignCenter, words);
    }
}

std::vector<std::pair<QString, QString>> LayerStrip::shortcuts()
{
    return { { tr("Up · Down"), tr("from block to block") },
        { tr("Page up · Page down"), tr("a page of blocks back or on") },
        { tr("Home · End"), tr("first and last block") } };
}

} // namespace stageloom
