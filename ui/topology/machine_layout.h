// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/topology.h"
#include <QPainterPath>
#include <QRectF>
#include <QSizeF>

namespace stageloom {

// A box on the way of links that all meet in one place: a switch, the host, shared memory.
struct LinkHub {
    QRectF rect;
    LinkKind kind = LinkKind::Host;
    int server = 0;
    bool spokes = false; // drawn from each device; else only for the chosen ones
};

struct MachineFrame {
    QRectF rect;
    QString label;
    bool isServer = false;
};

// The network between servers: a line under each row of servers, joined at the side.
struct NetworkLine {
    std::vector<QPointF> ports; // one a server, at its lower edge
    std::vector<double> rows; // y of each row's line
    double trunk = 0; // x of the line that joins the rows
};

// Where a machine's parts lie; arithmetic without a widget. Devices stand in groups by server and
// NUMA node, two rows a group, so that links have room between them.
struct MachineLayout {
    std::vector<QRectF> devices; // by position in the topology
    std::vector<MachineFrame> frames;
    std::vector<LinkHub> hubs;
    NetworkLine network;
    bool small = false; // boxes too small for more than a number

    [[nodiscard]] int deviceAt(const QPointF& point) const; // -1: none
    // The drawn way of a link between two devices; through a hub where its kind has one.
    [[nodiscard]] QPainterPath way(const Topology& topology, const Link& link) const;
};

MachineLayout layOutMachine(const Topology& topology, const QSizeF& size);
QSizeF leastMachineSize(const Topology& topology); // below it the picture scrolls
// Whether links of this kind are drawn one by one, from device to device.
bool isDrawnDirectly(LinkKind kind);

} // namespace stageloom
