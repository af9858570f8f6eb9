// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/topology.h"
#include <QPen>
#include <QString>

namespace stageloom {

// How a kind of link looks and is called, the same in picture, matrix and legend. Kinds differ in
// colour and in dashes; faster links are thicker.
QColor linkColour(LinkKind kind);
QPen linkPen(LinkKind kind, double bandwidth); // bandwidth 0: not known
QString linkName(LinkKind kind); // "NVLink"
QString linkCode(const Link& link); // short, for a matrix cell: "NV2", "host"
std::optional<double> bandwidthOf(const Link& link); // measured where known, else nominal
QString rateText(const std::optional<double>& bytesPerSecond); // "25.0 GB/s"; "?" where not known
QString linkRates(const Link& link); // "25 GB/s", "25 GB/s nominal · 22.1 GB/s measured"
QString linkText(const Link& link); // a whole line: kind, nominal and measured bandwidth

} // namespace stageloom
