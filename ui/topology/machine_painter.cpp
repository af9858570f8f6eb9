// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/machine_painter.h"

#include "core/base/units.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/topology/link_look.h"
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <set>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(MachinePainter)
};

QFont smallFont()
{
    return theme().captionFont();
}

} // namespace

void MachinePainter::paint()
{
    m_painter.setRenderHint(QPainter::Antialiasing);
    paintFrames();
    paintNetwork();
    paintSpokes();
    paintLinks();
    paintMissing();
    paintChosenWays();
    paintHubs();
    for (std::size_t i = 0; i < m_layout.devices.size(); ++i)
        paintDevice(i);
}

bool MachinePainter::concerns(const Link& link) const
{
    const int chosen = m_marks.hovered >= 0
        ? m_marks.hovered
        : (m_marks.selection.isDevice() ? m_marks.selection.a : -1);
    return link.a == chosen || link.b == chosen;
}

void MachinePainter::paintFrames()
{
    const Theme& look = theme();
    m_painter.setFont(smallFont());
    for (const MachineFrame& frame : m_layout.frames) {
        m_painter.setPen(QPen(look.line, 1));
        m_painter.setBrush(
            frame.isServer ? QBrush(look.ground) : QBrush(Theme::mix(look.track, look.panel, 0.5)));
        m_painter.drawRoundedRect(frame.rect, 6, 6);
        if (!frame.isServer && m_layout.small)
            continue;
        m_painter.setPen(look.muted);
        m_painter.drawText(
            frame.rect.adjusted(8, 2, -8, 0), Qt::AlignLeading | Qt::AlignTop, frame.label);
    }
}

void MachinePainter::paintNetwork()
{
    const NetworkLine& network = m_layout.network;
    if (network.rows.empty())
        return;
    const Link* link = nullptr;
    for (const Link& candidate : m_topology.links)
        if (candidate.kind == LinkKind::Network) {
            link = &candidate;
            break;
        }
    if (link == nullptr)
        return;
    m_painter.setPen(linkPen(LinkKind::Network, bandwidthOf(*link).value_or(0)));
    const double trunk = network.trunk;
    double right = trunk;
    for (const QPointF& port : network.ports) {
        const double row = *std::lower_bound(network.rows.begin(), network.rows.end(), port.y());
        m_painter.drawLine(port, QPointF(port.x(), row));
        right = std::max(right, port.x());
    }
    for (const double row : network.rows)
        m_painter.drawLine(QPointF(trunk, row), QPointF(right, row));
    m_painter.drawLine(QPointF(trunk, network.rows.front()), QPointF(trunk, network.rows.back()));
    QPainterPath last(QPointF(trunk, network.rows.back()));
    last.lineTo(right, network.rows.back());
    paintLabel(last, Words::tr("Network %1").arg(linkRates(*link)), true);
}

QString MachinePainter::hubText(const LinkHub& hub) const
{
    std::set<QString> rates;
    int pairs = 0;
    for (const Link& link : m_topology.links)
        if (link.kind == hub.kind
            && m_topology.devices[static_cast<std::size_t>(link.a)].server == hub.server) {
            rates.insert(bandwidthOf(link) ? linkRates(link) : Words::tr("bandwidth not known"));
            ++pairs;
        }
    const QStringList all(rates.begin(), rates.end());
    QString text = linkName(hub.kind) + QStringLiteral(" · ") + all.join(QStringLiteral(", "));
    if (!hub.spokes)
        text += Words::tr(" · %1 pairs").arg(pairs);
    return text;
}

void MachinePainter::paintHubs()
{
    const Theme& look = theme();
    m_painter.setFont(smallFont());
    for (const LinkHub& hub : m_layout.hubs) {
        const QColor colour = linkColour(hub.kind);
        m_painter.setPen(QPen(Theme::mix(colour, look.panel, 0.6), 1));
        m_painter.setBrush(Theme::mix(colour, look.panel, 0.12));
        m_painter.drawRoundedRect(hub.rect, 5, 5);
        if (m_layout.small)
            continue;
        m_painter.setPen(look.text);
        const QFontMetricsF metrics(smallFont());
        m_painter.drawText(hub.rect, Qt::AlignCenter,
            metrics.elidedText(hubText(hub), Qt::ElideRight, hub.rect.width() - 12));
    }
}

void MachinePainter::paintSpokes()
{
    for (const LinkHub& hub : m_layout.hubs) {
        if (!hub.spokes)
            continue;
        std::set<int> joined; // devices with at least one such link
        double bandwidth = 0;
        for (const Link& link : m_topology.links)
            if (link.kind == hub.kind) {
                joined.insert({ link.a, link.b });
                bandwidth = std::max(bandwidth, bandwidthOf(link).value_or(0));
            }
        m_painter.setPen(linkPen(hub.kind, bandwidth));
        for (std::size_t i = 0; i < m_layout.devices.size(); ++i) {
            const Device& device = m_topology.devices[i];
            if (device.server != hub.server || !joined.contains(device.index))
                continue;
            const QPointF at = m_layout.devices[i].center();
            m_painter.drawLine(at, QPointF(at.x(), hub.rect.center().y()));
        }
    }
}

void MachinePainter::paintLinks()
{
    const bool focus = m_marks.hovered >= 0 || m_marks.selection.isDevice();
    m_painter.setBrush(Qt::NoBrush);
    std::vector<std::pair<QPainterPath, QString>> labels;
    for (const Link& link : m_topology.links) {
        if (!isDrawnDirectly(link.kind))
            continue;
        QPen pen = linkPen(link.kind, bandwidthOf(link).value_or(0));
        if (m_layout.small)
            pen.setWidthF(std::min(1.2, pen.widthF()));
        if (focus && !concerns(link))
            pen.setColor(Theme::mix(pen.color(), theme().panel, 0.28));
        const QPainterPath way = m_layout.way(m_topology, link);
        m_painter.setPen(pen);
        m_painter.drawPath(way);
        if (!m_layout.small && (!focus || concerns(link)))
            labels.emplace_back(way, linkRates(link));
    }
    for (const auto& [way, text] : labels)
        paintLabel(way, text, false);
}

// Pairs of one server that nothing joins where others are joined: somebody unplugged them.
void MachinePainter::paintMissing()
{
    const std::size_t count = m_topology.devices.size();
    if (m_topology.links.empty() || count > 64)
        return;
    m_painter.setPen(QPen(theme().bad, 1.2, Qt::DotLine));
    for (const Device& a : m_topology.devices)
        for (const Device& b : m_topology.devices) {
            if (a.index >= b.index || a.server != b.server
                || m_topology.linkBetween(a.index, b.index) != nullptr)
                continue;
            Link none;
            none.a = a.index;
            none.b = b.index;
            none.kind = LinkKind::Pcie; // drawn from box to box
            const QPainterPath way = m_layout.way(m_topology, none);
            m_painter.drawPath(way);
            if (!m_layout.small)
                paintLabel(way, Words::tr("unplugged"), false);
        }
}

void MachinePainter::paintChosenWays()
{
    m_painter.setBrush(Qt::NoBrush);
    for (const Link& link : m_topology.links) {
        const bool pair = m_marks.selection.isPair() && link.a == m_marks.selection.a
            && link.b == m_marks.selection.b;
        if (!pair)
            continue;
        const QPainterPath way = m_layout.way(m_topology, link);
        m_painter.setPen(QPen(theme().text, 3));
        m_painter.drawPath(way);
        paintLabel(way, linkName(link.kind) + u' ' + linkRates(link), true);
    }
}

bool MachinePainter::paintLabel(const QPainterPath& way, const QString& text, bool force)
{
    const QFontMetricsF metrics(smallFont());
    QRectF pill(0, 0, metrics.horizontalAdvance(text) + 10, metrics.height() + 2);
    const auto isFree = [&] {
        const auto hits = [&](const QRectF& other) { return other.intersects(pill); };
        return std::none_of(m_labels.begin(), m_labels.end(), hits)
            && std::none_of(m_layout.devices.begin(), m_layout.devices.end(), hits)
            && std::none_of(m_layout.hubs.begin(), m_layout.hubs.end(),
                [&](const LinkHub& hub) { return hub.rect.intersects(pill); });
    };
    // On the line; where there is no room, beside it.
    const double beside = m_layout.devices.front().height() / 2 + pill.height();
    for (const double off : { 0.0, beside, -beside })
        for (const double at : { 0.5, 0.36, 0.64, 0.28, 0.72, 0.2, 0.8 }) {
            if (off != 0 && !force)
                continue;
            pill.moveCenter(way.pointAtPercent(at) + QPointF(0, off));
            if (isFree())
                return putLabel(pill, text);
        }
    pill.moveCenter(way.pointAtPercent(0.5));
    return force && putLabel(pill, text);
}

bool MachinePainter::putLabel(const QRectF& pill, const QString& text)
{
    m_labels.push_back(pill);
    m_painter.save();
    m_painter.setFont(smallFont());
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(theme().panel);
    m_painter.drawRoundedRect(pill, 4, 4);
    m_painter.setPen(theme().text);
    m_painter.drawText(pill, Qt::AlignCenter, text);
    m_painter.restore();
    return true;
}

void MachinePainter::paintDevice(std::size_t index)
{
    const Theme& look = theme();
    const Device& device = m_topology.devices[index];
    const QRectF box = m_layout.devices[index];
    const MachineSelection& chosen = m_marks.selection;
    const bool marked = device.index == chosen.a || device.index == chosen.b;
    const auto stage = m_marks.stageOf.find(device.index);
    const double corner = std::min<double>(Theme::kRadius, box.height() / 4);
    m_painter.setPen(marked ? QPen(look.text, 2)
                            : QPen(device.index == m_marks.hovered ? look.accent : look.line, 1.2));
    m_painter.setBrush(stage == m_marks.stageOf.end() ? look.panel : look.stageSoft(stage->second));
    m_painter.drawRoundedRect(box, corner, corner);
    if (stage != m_marks.stageOf.end()) {
        const double wide = m_layout.small ? 3 : 6;
        const double left = m_painter.layoutDirection() == Qt::RightToLeft ? box.right() - wide - 1
                                                                           : box.left() + 1;
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(look.stageBrush(stage->second));
        m_painter.drawRoundedRect(
            QRectF(left, box.top() + 1, wide, box.height() - 2), wide / 2, wide / 2);
    }
    QStringList lines { deviceLabel(device) };
    if (!m_layout.small && stage != m_marks.stageOf.end())
        lines << Words::tr("stage %1").arg(stage->second);
    if (!m_layout.small && device.memoryBytes)
        lines << bytesText(*device.memoryBytes);
    if (m_layout.small)
        lines = { QString::number(device.index) };
    const QFontMetricsF metrics(smallFont());
    const double line = metrics.height() + 2;
    const auto fit = static_cast<qsizetype>(std::max(0.0, (box.height() - 2) / line));
    lines = lines.mid(0, m_layout.small && box.height() > 9 ? 1 : fit);
    double top = box.center().y() - line * static_cast<double>(lines.size()) / 2;
    for (qsizetype i = 0; i < lines.size(); ++i, top += line) {
        QFont font = i == 0 && !m_layout.small ? look.titleFont() : smallFont();
        if (m_layout.small)
            font.setPixelSize(std::clamp(static_cast<int>(box.height()) - 3, 7, 11));
        m_painter.setFont(font);
        m_painter.setPen(i == 0 ? look.text : look.muted);
        m_painter.drawText(QRectF(box.left(), top, box.width(), line), Qt::AlignCenter, lines[i]);
    }
}

} // namespace stageloom
