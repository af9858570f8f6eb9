// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/machine_layout.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <map>

namespace stageloom {

namespace {

constexpr double kEdge = 6, kGap = 14, kTitle = 18, kHub = 26, kRowGap = 26, kTrunk = 16; // px
constexpr double kMostWide = 208, kMostHigh = 84, kSmallWide = 74;
constexpr double kSpoke = 90; // px; longer ones only tear the picture apart
constexpr double kLeastServerWide = 190, kLeastServerHigh = 116, kLeastBox = 16;

using Groups = std::map<int, std::vector<std::size_t>>; // by NUMA node; -1: not known

struct Words {
    Q_DECLARE_TR_FUNCTIONS(MachineLayout)
};

std::map<int, Groups> serversOf(const Topology& topology)
{
    std::map<int, Groups> servers;
    for (std::size_t i = 0; i < topology.devices.size(); ++i)
        servers[topology.devices[i].server][topology.devices[i].numa.value_or(-1)].push_back(i);
    return servers;
}

int columnsFor(std::size_t count, const QSizeF& size, double aspect)
{
    const double wanted = std::sqrt(
        static_cast<double>(count) * size.width() / std::max(1.0, size.height()) / aspect);
    return std::clamp(static_cast<int>(std::ceil(wanted)), 1, static_cast<int>(count));
}

int rowsFor(std::size_t devices)
{
    if (devices <= 3)
        return 1;
    return devices <= 16 ? 2 : static_cast<int>(std::ceil(std::sqrt(double(devices) / 2)));
}

// Kinds of a server's links that meet in a hub, the most frequent first.
std::vector<LinkKind> hubKinds(const Topology& topology, int server, bool& direct)
{
    std::map<LinkKind, int> pairs;
    direct = false;
    for (const Link& link : topology.links) {
        if (topology.devices[static_cast<std::size_t>(link.a)].server != server
            || topology.devices[static_cast<std::size_t>(link.b)].server != server)
            continue;
        if (isDrawnDirectly(link.kind))
            direct = true;
        else
            ++pairs[link.kind];
    }
    std::vector<LinkKind> kinds;
    for (const auto& [kind, count] : pairs)
        kinds.push_back(kind);
    std::stable_sort(
        kinds.begin(), kinds.end(), [&](LinkKind x, LinkKind y) { return pairs[x] > pairs[y]; });
    return kinds;
}

class ServerLayout {
public:
    ServerLayout(const Topology& topology, int server, const Groups& groups, MachineLayout& out)
        : m_groups(groups)
        , m_server(server)
        , m_out(out)
    {
        bool direct = false;
        m_kinds = hubKinds(topology, server, direct);
        for (const auto& [numa, members] : groups)
            m_rows = std::max(m_rows, rowsFor(members.size()));
        m_spokes = !direct && m_rows <= 2;
    }
    void place(QRectF area)
    {
        area = placeHubs(compact(area));
        const double wide = (area.width() - kGap * static_cast<double>(m_groups.size() - 1))
            / static_cast<double>(m_groups.size());
        double left = area.left();
        for (const auto& [numa, members] : m_groups) {
            placeGroup(numa, members, QRectF(left, area.top(), wide, area.height()));
            left += wide + kGap;
        }
    }

private:
    // Boxes around a hub need no more height than their spokes do: the rest is left around them.
    QRectF compact(const QRectF& area) const
    {
        const double most = m_rows * kMostHigh + kHub + kGap + 2 * kSpoke;
        if (!m_spokes || m_out.small || area.height() <= most)
            return area;
        return QRectF(area.left(), area.center().y() - most / 2, area.width(), most);
    }
    // The first hub lies between two rows where it has spokes; all others below.
    QRectF placeHubs(QRectF area)
    {
        const double high = m_out.small ? 6 : kHub;
        for (std::size_t i = m_kinds.size(); i-- > 0;) {
            const bool middle = i == 0 && m_spokes && m_rows == 2;
            LinkHub hub { {}, m_kinds[i], m_server, i == 0 && m_spokes };
            if (middle) {
                m_middle = high;
                hub.rect = QRectF(area.left(), area.center().y() - high / 2, area.width(), high);
            } else {
                hub.rect = QRectF(area.left(), area.bottom() - high, area.width(), high);
                area.setBottom(area.bottom() - high - (m_out.small ? 4 : kGap));
            }
            m_out.hubs.push_back(hub);
        }
        return area;
    }
    void placeGroup(int numa, const std::vector<std::size_t>& members, const QRectF& area)
    {
        QRectF inner = area;
        if (numa >= 0 && m_groups.size() > 1) {
            m_out.frames.push_back({ area, Words::tr("NUMA %1").arg(numa), false });
            const double pad = m_out.small ? 3 : kEdge;
            inner.adjust(pad, m_out.small ? pad : (m_middle > 0 ? kTitle : kTitle + 2), -pad,
                m_middle > 0 && !m_out.small ? -kTitle : -pad);
        }
        const int rows = rowsFor(members.size());
        const int columns = (static_cast<int>(members.size()) + rows - 1) / rows;
        const double cellWide = inner.width() / columns, cellHigh = inner.height() / rows;
        const double share = rows == 2 ? 0.46 : 0.62;
        const double wide = std::min(kMostWide, cellWide * (columns > 1 ? 0.74 : 0.8));
        const double high = std::min(kMostHigh, cellHigh * share);
        for (std::size_t k = 0; k < members.size(); ++k) {
            const int row = static_cast<int>(k) / columns, column = static_cast<int>(k) % columns;
            const double x = inner.left() + (column + 0.5) * cellWide;
            double y = inner.top() + (row + 0.5) * cellHigh;
            if (rows == 2) // towards the edges: links cross in the middle
                y = row == 0 ? inner.top() + high / 2 + 4 : inner.bottom() - high / 2 - 4;
            m_out.devices[members[k]] = QRectF(x - wide / 2, y - high / 2, wide, high);
        }
    }

    const Groups& m_groups;
    std::vector<LinkKind> m_kinds;
    int m_server, m_rows = 1;
    double m_middle = 0;
    bool m_spokes = false;
    MachineLayout& m_out;
};

// Straight, or bent towards the inside where a box of the same row lies between.
QPainterPath directWay(const std::vector<QRectF>& devices, const QRectF& from, const QRectF& to)
{
    const QPointF a = from.center(), b = to.center();
    QPainterPath path(a);
    const bool sameRow = std::abs(a.y() - b.y()) < 1;
    const auto [low, high] = std::minmax({ a.x(), b.x() });
    double above = 0, below = 0;
    bool blocked = false;
    for (const QRectF& box : devices) {
        const QPointF at = box.center();
        blocked = blocked
            || (sameRow && std::abs(at.y() - a.y()) < 1 && at.x() > low + 1 && at.x() < high - 1);
        (at.y() < a.y() - 1 ? above : below) += at.y() != a.y() ? 1 : 0;
    }
    if (!blocked) {
        path.lineTo(b);
        return path;
    }
    // Out of the row's inner edge and back into it: all of it lies clear of the boxes between,
    // a longer link deeper than a shorter one.
    const double side = above > below ? -1 : 1;
    const double edge = side > 0 ? from.bottom() : from.top();
    const double depth = side * (14 + (high - low) * 0.07) / 0.75; // a cubic reaches 3/4 of it
    path.lineTo(a.x(), edge);
    path.cubicTo(a.x(), edge + depth, b.x(), edge + depth, b.x(), edge);
    path.lineTo(b);
    return path;
}

// Where a way from a box goes down or up to a hub: straight, or past the boxes that stand in it.
double columnTo(const std::vector<QRectF>& devices, const QRectF& box, const QRectF& hub)
{
    const double x = std::clamp(box.center().x(), hub.left() + 4, hub.right() - 4);
    const auto [low, high] = std::minmax({ box.center().y(), hub.center().y() });
    const bool blocked = std::any_of(devices.begin(), devices.end(), [&](const QRectF& other) {
        return other != box && other.left() < x && other.right() > x && other.center().y() > low
            && other.center().y() < high;
    });
    constexpr double kPast = 7; // px beside the boxes of the column
    return blocked ? std::min(box.right() + kPast, hub.right() - 4) : x;
}

} // namespace

bool isDrawnDirectly(LinkKind kind)
{
    return kind == LinkKind::NvLink || kind == LinkKind::Xgmi || kind == LinkKind::Pcie;
}

QSizeF leastMachineSize(const Topology& topology)
{
    const auto servers = serversOf(topology);
    std::size_t most = 1;
    for (const auto& [server, groups] : servers)
        for (const auto& [numa, members] : groups)
            most = std::max(most, members.size() * groups.size());
    const int rows = rowsFor(most);
    const double columns = std::ceil(static_cast<double>(most) / rows);
    const double wide = std::max(kLeastServerWide, columns * kLeastBox * 1.8);
    const double high = std::max(kLeastServerHigh, rows * kLeastBox * 2.0);
    // Pictures of many servers scroll down, not sideways.
    const double across = std::min<double>(2, std::max<std::size_t>(1, servers.size()));
    const double down = std::ceil(static_cast<double>(servers.size()) / across);
    return { across * (wide + kGap) + kTrunk, down * (high + kRowGap) + kRowGap };
}

MachineLayout layOutMachine(const Topology& topology, const QSizeF& size)
{
    MachineLayout out;
    out.devices.assign(topology.devices.size(), {});
    const auto servers = serversOf(topology);
    if (servers.empty())
        return out;
    const bool several = servers.size() > 1;
    QRectF area(QPointF(0, 0), size);
    area.adjust(several ? kTrunk + 2 : 1, 1, -1, several ? -kRowGap : -1);
    const int columns = columnsFor(servers.size(), area.size(), 1.7);
    const int rows = (static_cast<int>(servers.size()) + columns - 1) / columns;
    const double wide = (area.width() - kGap * (columns - 1)) / columns;
    const double high = (area.height() - kRowGap * (rows - 1)) / rows;
    std::size_t largest = 1;
    for (const auto& [server, groups] : servers) {
        std::size_t count = 0;
        for (const auto& [numa, members] : groups)
            count += members.size();
        largest = std::max(largest, count);
    }
    const double perRow = std::ceil(static_cast<double>(largest) / rowsFor(largest));
    out.small = wide / perRow * 0.74 < kSmallWide || high < 150;
    out.network.trunk = kTrunk / 2;
    int at = 0;
    for (const auto& [server, groups] : servers) {
        const int row = at / columns, column = at % columns;
        ++at;
        QRectF cell(
            area.left() + column * (wide + kGap), area.top() + row * (high + kRowGap), wide, high);
        if (several) {
            out.frames.push_back({ cell, Words::tr("Server %1").arg(server), true });
            out.network.ports.emplace_back(cell.center().x(), cell.bottom());
            if (column == 0)
                out.network.rows.push_back(cell.bottom() + kRowGap / 2);
            cell.adjust(kEdge, kTitle + 2, -kEdge, -kEdge);
        }
        ServerLayout(topology, server, groups, out).place(cell);
    }
    return out;
}

int MachineLayout::deviceAt(const QPointF& point) const
{
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (devices[i].contains(point))
            return static_cast<int>(i);
    return -1;
}

QPainterPath MachineLayout::way(const Topology& topology, const Link& link) const
{
    const QRectF& from = devices[static_cast<std::size_t>(link.a)];
    const QRectF& to = devices[static_cast<std::size_t>(link.b)];
    const int server = topology.devices[static_cast<std::size_t>(link.a)].server;
    if (isDrawnDirectly(link.kind)) {
        std::vector<QRectF> near; // of the link's server: other servers' boxes are not in its way
        for (std::size_t i = 0; i < devices.size(); ++i)
            if (topology.devices[i].server == server)
                near.push_back(devices[i]);
        return directWay(near, from, to);
    }
    QPainterPath path(from.center());
    for (const LinkHub& hub : hubs)
        if (hub.server == server && hub.kind == link.kind) {
            const double in = columnTo(devices, from, hub.rect);
            const double out = columnTo(devices, to, hub.rect), y = hub.rect.center().y();
            path.lineTo(in, from.center().y());
            path.lineTo(in, y);
            path.lineTo(out, y);
            path.lineTo(out, to.center().y());
            path.lineTo(to.center());
            return path;
        }
    path.lineTo(to.center());
    return path;
}

} // namespace stageloom
