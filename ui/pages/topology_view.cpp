// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/topology_view.h"

#include "core/base/units.h"
#include "ui/models/topology_matrix_model.h"
#include "ui/theme/theme.h"
#include <QPainter>
#include <QPainterPath>
#include <map>

namespace stageloom {

namespace {

QColor linkColour(LinkKind kind)
{
    const Theme& look = theme();
    switch (kind) {
    case LinkKind::NvLink:
    case LinkKind::NvSwitch:
    case LinkKind::Xgmi:
        return look.good;
    case LinkKind::Pcie:
        return look.accent;
    case LinkKind::Network:
        return look.warning;
    case LinkKind::Host:
    case LinkKind::SharedMemory:
        break;
    }
    return look.muted;
}

} // namespace

TopologyView::TopologyView(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Devices and links"));
    setMinimumSize(320, 220);
}

void TopologyView::setTopology(const Topology& topology)
{
    m_topology = topology;
    place();
    update();
}

void TopologyView::resizeEvent(QResizeEvent*)
{
    place();
}

void TopologyView::place()
{
    std::map<std::pair<int, int>, std::vector<std::size_t>> rows; // by server and NUMA node
    for (std::size_t i = 0; i < m_topology.devices.size(); ++i) {
        const Device& device = m_topology.devices[i];
        rows[{ device.server, device.numa.value_or(-1) }].push_back(i);
    }
    m_boxes.assign(m_topology.devices.size(), {});
    if (rows.empty())
        return;
    const double rowHeight = height() / static_cast<double>(rows.size());
    double top = 0;
    for (const auto& [key, members] : rows) {
        const double cell = width() / static_cast<double>(members.size());
        const double wide = std::min(160.0, cell * 0.7), high = std::min(64.0, rowHeight * 0.5);
        for (std::size_t k = 0; k < members.size(); ++k)
            m_boxes[members[k]] = { (static_cast<double>(k) + 0.5) * cell - wide / 2,
                top + (rowHeight - high) / 2, wide, high };
        top += rowHeight;
    }
}

void TopologyView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintLinks(painter);
    for (std::size_t i = 0; i < m_boxes.size(); ++i)
        paintDevice(painter, i);
}

void TopologyView::paintLinks(QPainter& painter) const
{
    const auto boxOf = [this](int index) -> const QRectF* {
        for (std::size_t i = 0; i < m_boxes.size(); ++i)
            if (m_topology.devices[i].index == index)
                return &m_boxes[i];
        return nullptr;
    };
    painter.setBrush(Qt::NoBrush);
    for (const Link& link : m_topology.links) {
        const QRectF *a = boxOf(link.a), *b = boxOf(link.b);
        if (a == nullptr || b == nullptr)
            continue;
        painter.setPen(QPen(linkColour(link.kind), 1.6,
            link.kind == LinkKind::Network ? Qt::DashLine : Qt::SolidLine));
        // Links of one row are arcs above it, so that far ones do not hide behind near boxes.
        const bool sameRow = std::abs(a->center().y() - b->center().y()) < 1;
        QPainterPath path(sameRow ? QPointF(a->center().x(), a->top()) : a->center());
        if (sameRow) {
            const double rise
                = std::min(a->top() - 6, std::abs(a->center().x() - b->center().x()) * 0.22);
            path.quadTo(QPointF((a->center().x() + b->center().x()) / 2, a->top() - 2 * rise),
                QPointF(b->center().x(), b->top()));
        } else {
            path.lineTo(b->center());
        }
        painter.drawPath(path);
    }
}

void TopologyView::paintDevice(QPainter& painter, std::size_t index) const
{
    const Theme& look = theme();
    const Device& device = m_topology.devices[index];
    const QRectF box = m_boxes[index];
    painter.setPen(QPen(look.line, 1));
    painter.setBrush(look.ground);
    painter.drawRoundedRect(box, Theme::kRadius, Theme::kRadius);
    painter.setPen(look.text);
    painter.setFont(look.titleFont());
    const QRectF upper = box.adjusted(6, 4, -6, -box.height() / 2);
    const QRectF lower = box.adjusted(6, box.height() / 2, -6, -4);
    painter.drawText(upper, Qt::AlignCenter, deviceLabel(device));
    painter.setFont(look.captionFont());
    painter.setPen(look.muted);
    const QString memory
        = device.memoryBytes ? QString::fromStdString(formatBytes(*device.memoryBytes)) : QString();
    painter.drawText(lower, Qt::AlignCenter,
        QFontMetrics(look.captionFont())
            .elidedText(memory.isEmpty() ? QString::fromStdString(device.name) : memory,
                Qt::ElideRight, static_cast<int>(lower.width())));
}

} // namespace stageloom
