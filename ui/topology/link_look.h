// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/topology.h"
#include "core/plan/traffic.h"
#include <QPen>
#include <QString>

namespace stageloom {

// What is written at links.
enum class LinkNumbers { Traffic, Bandwidth, Latency };

// How a kind of link looks and is called, the same in picture, matrix and legend. Kinds differ in
// shade and in dashes; faster links are thicker.
QColor linkColour(LinkKind kind);
QPen linkPen(LinkKind kind, double bandwidth); // bandwidth 0: not known
// With a plan: as wide as its share of the most bytes a step; amber dashes where it lacks peer
// access.
QPen trafficPen(LinkKind kind, bool peerAccess, double bytes, double most);
QString linkNumber(const Link& link, const PairTraffic* traffic, LinkNumbers numbers);
QString linkName(LinkKind kind); // "NVLink"
std::optional<double> bandwidthOf(const Link& link); // measured where known, else nominal
QString rateText(const std::optional<double>& bytesPerSecond); // "25.0 GB/s"; "?" where not known
QString linkRates(const Link& link); // "25 GB/s", "22.1 GB/s of 25 GB/s": measured of nominal
QString linkText(const Link& link); // a whole line: kind, nominal and measured bandwidth

} // namespace stageloom
