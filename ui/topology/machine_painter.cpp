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
    paintWhatIf();
}

QPen MachinePainter::penOf(const Link& link) const
{
    if (m_marks.plan.devices.empty())
        return linkPen(link.kind, bandwidthOf(link).value_or(0));
    const PairTraffic* traffic = m_marks.plan.between(link.a, link.b);
    return trafficPen(link.kind, !lacksPeerAccess(m_topology, link.a, link.b),
        traffic != nullptr ? traffic->bytes() : 0, m_marks.plan.mostBytes());
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
    std::vector<std::pair<QPainterPath, QString>> labels;
    m_painter.setBrush(Qt::NoBrush);
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
        const bool planned = !m_marks.plan.devices.empty();
        double most = 0;
        for (const Device& device : m_topology.devices)
            most = std::max(most, m_marks.plan.bytesAt(device.index));
        for (std::size_t i = 0; i < m_layout.devices.size(); ++i) {
            const Device& device = m_topology.devices[i];
            if (device.server != hub.server || !joined.contains(device.index))
                continue;
            const QPointF at = m_layout.devices[i].center();
            const double bytes = planned ? m_marks.plan.bytesAt(device.index) : 0;
            const bool through = device.kind == DeviceKind::Gpu && hub.kind == LinkKind::Host;
            m_painter.setPen(planned ? trafficPen(hub.kind, !through, bytes, most)
                                     : linkPen(hub.kind, bandwidth));
            QPainterPath spoke(at);
            spoke.lineTo(at.x(), hub.rect.center().y());
            m_painter.drawPath(spoke);
            if (bytes > 0 && !m_layout.small && m_marks.numbers == LinkNumbers::Traffic)
                labels.emplace_back(spoke, bytesText(bytes));
        }
    }
    for (const auto& [way, text] : labels)
        paintLabel(way, text, false);
}

void MachinePainter::paintLinks()
{
    const bool focus = m_marks.hovered >= 0 || m_marks.selection.isDevice();
    m_painter.setBrush(Qt::NoBrush);
    std::vector<std::pair<QPainterPath, QString>> labels;
    for (const Link& link : m_topology.links) {
        const PairTraffic* traffic = m_marks.plan.between(link.a, link.b);
        // Through a hub only what the plan sends there, where no spokes show it already.
        const bool spoked = std::any_of(m_layout.hubs.begin(), m_layout.hubs.end(),
            [&](const LinkHub& hub) { return hub.kind == link.kind && hub.spokes; });
        if (!isDrawnDirectly(link.kind)
            && (traffic == nullptr || spoked || link.kind == LinkKind::Network))
            continue;
        QPen pen = penOf(link);
        if (m_layout.small)
            pen.setWidthF(std::min(1.2, pen.widthF()));
        if (focus && !concerns(link))
            pen.setColor(Theme::mix(pen.color(), theme().panel, 0.28));
        const QPainterPath way = m_layout.way(m_topology, link);
        m_painter.setPen(pen);
        m_painter.drawPath(way);
        const QString number = linkNumber(link, traffic, m_marks.numbers);
        if (!m_layout.small && !number.isEmpty() && (!focus || concerns(link)))
            labels.emplace_back(way, number);
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
            const PairTraffic* used = m_marks.plan.between(a.index, b.index);
            m_painter.setPen(used != nullptr
                    ? trafficPen(none.kind, false, used->bytes(), m_marks.plan.mostBytes())
                    : QPen(theme().muted, 1.2, Qt::DotLine));
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
        return QRectF(m_painter.window()).contains(pill)
            && std::none_of(m_labels.begin(), m_labels.end(), hits)
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
    const auto load = m_marks.plan.devices.find(device.index);
    const bool placed = load != m_marks.plan.devices.end();
    const double corner = std::min<double>(Theme::kRadius, box.height() / 4);
    m_painter.setPen(marked ? QPen(look.text, 2)
                            : QPen(device.index == m_marks.hovered ? look.accent : look.line, 1.2));
    m_painter.setBrush(placed && m_layout.small ? look.stageSoft(load->second.stage) : look.panel);
    m_painter.drawRoundedRect(box, corner, corner);
    if (placed) { // a bar over the box in the stage's hue
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(look.stageBrush(load->second.stage));
        const double high = m_layout.small ? 2.5 : 4;
        m_painter.drawRoundedRect(
            QRectF(box.left() + 1, box.top() + 1, box.width() - 2, high), high / 2, high / 2);
    }
    if (m_layout.small)
        return paintSmallDevice(box, device, placed ? load->second.stage : -1);
    const QRectF inner = box.adjusted(9, 7, -9, -5);
    const QFontMetricsF metrics(look.titleFont());
    const QRectF head(inner.left(), inner.top(), inner.width(), metrics.height() + 2);
    double room = head.width();
    if (placed) {
        QFont font = smallFont();
        font.setWeight(QFont::DemiBold);
        const QString words = room > 120 ? Words::tr("Stage %1").arg(load->second.stage)
                                         : QString::number(load->second.stage);
        const double wide = QFontMetricsF(font).horizontalAdvance(words) + 12;
        QRectF badge(head.right() - wide, head.top(), wide, head.height());
        if (m_painter.layoutDirection() == Qt::RightToLeft)
            badge.moveLeft(head.left());
        const QColor hue = look.stage(load->second.stage);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(hue);
        m_painter.drawRoundedRect(badge, 4, 4);
        m_painter.setFont(font);
        m_painter.setPen(look.textOn(hue));
        m_painter.drawText(badge, Qt::AlignCenter, words);
        room -= wide + 4;
    }
    QRectF name(head.left(), head.top(), room, head.height());
    if (m_painter.layoutDirection() == Qt::RightToLeft)
        name.moveRight(head.right());
    m_painter.setFont(look.titleFont());
    m_painter.setPen(look.text);
    m_painter.drawText(name, Qt::AlignLeading | Qt::AlignVCenter, deviceLabel(device));
    paintDeviceLoad(inner.adjusted(0, head.height() + 1, 0, 0), device);
}

// Layers, and memory of what the plan may fill as a bar; without a plan what the device has.
void MachinePainter::paintDeviceLoad(const QRectF& inner, const Device& device)
{
    const Theme& look = theme();
    const QFontMetricsF metrics(smallFont());
    const double line = metrics.height() + 1;
    const auto load = m_marks.plan.devices.find(device.index);
    m_painter.setFont(smallFont());
    double top = inner.top();
    const auto write = [&](const QString& words, const QColor& colour) {
        if (top + line > inner.bottom() + 3)
            return;
        m_painter.setPen(colour);
        m_painter.drawText(QRectF(inner.left(), top, inner.width(), line),
            Qt::AlignLeading | Qt::AlignVCenter,
            metrics.elidedText(words, Qt::ElideRight, inner.width()));
        top += line;
    };
    if (load == m_marks.plan.devices.end()) {
        write(m_marks.plan.devices.empty() ? QString::fromStdString(device.name)
                                           : Words::tr("no stage"),
            look.muted);
        if (device.memoryBytes)
            write(bytesText(*device.memoryBytes), look.muted);
        return;
    }
    const auto& [stage, layers, memory, room] = load->second;
    const bool bar = inner.height() >= 2 * line + 9;
    if (bar || !(memory > 0))
        write(layers, look.muted);
    if (!(memory > 0))
        return;
    const double share = room > 0 ? memory / room : 0;
    const QColor state = share > 1 ? look.bad : share > 0.92 ? look.warning : look.text;
    if (bar && room > 0) {
        const QRectF track(inner.left(), top + 2, inner.width(), 5);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(look.track);
        m_painter.drawRoundedRect(track, 2, 2);
        QRectF filled = track;
        filled.setWidth(track.width() * std::min(1.0, share));
        if (m_painter.layoutDirection() == Qt::RightToLeft)
            filled.moveRight(track.right());
        m_painter.setBrush(share > 1 ? QBrush(look.bad) : look.stageBrush(stage));
        m_painter.drawRoundedRect(filled, 2, 2);
        top += 9;
    }
    QString used = bytesText(memory);
    const QString whole = bytesText(room);
    if (used.section(u' ', 1) == whole.section(u' ', 1)) // one unit for both
        used = used.section(u' ', 0, 0);
    const QString of = room > 0 ? Words::tr("%1 of %2").arg(used, whole) : bytesText(memory);
    write(metrics.horizontalAdvance(of) > inner.width() ? bytesText(memory) : of, state);
}

void MachinePainter::paintSmallDevice(const QRectF& box, const Device& device, int stage)
{
    const Theme& look = theme();
    if (box.height() <= 9)
        return;
    QFont font = smallFont();
    const bool two = stage >= 0 && box.height() >= 28;
    font.setPixelSize(std::clamp(static_cast<int>(box.height() / (two ? 2 : 1)) - 4, 7, 11));
    m_painter.setFont(font);
    const QRectF inner = box.adjusted(0, 3, 0, 0);
    const double line = two ? inner.height() / 2 : inner.height();
    m_painter.setPen(look.text);
    m_painter.drawText(QRectF(inner.left(), inner.top(), inner.width(), line), Qt::AlignCenter,
        QString::number(device.index));
    if (!two)
        return;
    m_painter.setPen(look.muted);
    m_painter.drawText(QRectF(inner.left(), inner.top() + line - 1, inner.width(), line),
        Qt::AlignCenter, Words::tr("S%1").arg(stage));
}

// What a row of the what-if table takes away.
void MachinePainter::paintWhatIf()
{
    if (m_marks.whatIf.empty())
        return;
    m_painter.setPen(QPen(theme().accent, 1.6, Qt::DashLine));
    m_painter.setBrush(Qt::NoBrush);
    if (m_marks.whatIfLink && m_marks.whatIf.size() == 2) {
        Link link;
        link.a = std::min(m_marks.whatIf[0], m_marks.whatIf[1]);
        link.b = std::max(m_marks.whatIf[0], m_marks.whatIf[1]);
        if (const Link* known = m_topology.linkBetween(link.a, link.b))
            link = *known;
        const QPainterPath way = m_layout.way(m_topology, link);
        m_painter.drawPath(way);
        return;
    }
    QRectF all;
    for (const int index : m_marks.whatIf)
        if (index >= 0 && index < static_cast<int>(m_layout.devices.size()))
            all |= m_layout.devices[static_cast<std::size_t>(index)];
    m_painter.drawRoundedRect(all.adjusted(-4, -4, 4, 4), Theme::kRadius, Theme::kRadius);
}

} // namespace stageloom
