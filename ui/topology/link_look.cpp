// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/link_look.h"

#include "core/base/units.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(LinkLook)
};

} // namespace

// Neutral hues: stages keep theirs, and red is for errors.
QColor linkColour(LinkKind kind)
{
    const Theme& look = theme();
    switch (kind) {
    case LinkKind::NvLink:
    case LinkKind::NvSwitch:
    case LinkKind::Xgmi:
        return look.memory[0];
    case LinkKind::Pcie:
    case LinkKind::SharedMemory:
        return look.memory[1];
    case LinkKind::Host:
    case LinkKind::Network:
        break;
    }
    return look.memory[2];
}

QPen linkPen(LinkKind kind, double bandwidth)
{
    // 1.4 px at 10 GB/s and less, 1.4 px more for each factor of ten.
    const double width
        = 1.4 * (1 + std::clamp(std::log10(std::max(bandwidth, 1.0) / 1e10), 0.0, 2.0));
    QPen pen(linkColour(kind), width);
    if (kind == LinkKind::Network)
        pen.setStyle(Qt::DashLine);
    else if (kind == LinkKind::Xgmi)
        pen.setDashPattern({ 6, 1.5 });
    else if (kind == LinkKind::Host || kind == LinkKind::SharedMemory)
        pen.setDashPattern({ 1.5, 1.5 });
    pen.setCapStyle(Qt::FlatCap);
    return pen;
}

QPen trafficPen(LinkKind kind, bool peerAccess, double bytes, double most)
{
    constexpr double kThin = 1.2, kThick = 6; // px
    const double share = most > 0 ? std::clamp(bytes / most, 0.0, 1.0) : 0;
    QPen pen(bytes > 0 && !peerAccess
            ? theme().warning
            : Theme::mix(linkColour(kind), theme().panel, bytes > 0 ? 1 : 0.55),
        bytes > 0 ? kThin + (kThick - kThin) * share : kThin);
    if (bytes > 0 && !peerAccess)
        pen.setDashPattern({ 2.2, 1.2 });
    pen.setCapStyle(Qt::FlatCap);
    return pen;
}

QString linkNumber(const Link& link, const PairTraffic* traffic, LinkNumbers numbers)
{
    switch (numbers) {
    case LinkNumbers::Traffic:
        return traffic != nullptr ? bytesText(traffic->bytes()) : QString();
    case LinkNumbers::Latency:
        return link.latency ? secondsText(*link.latency) : QStringLiteral("–");
    case LinkNumbers::Bandwidth:
        break;
    }
    return linkRates(link);
}

QString linkName(LinkKind kind)
{
    switch (kind) {
    case LinkKind::NvLink:
        return QStringLiteral("NVLink");
    case LinkKind::NvSwitch:
        return QStringLiteral("NVSwitch");
    case LinkKind::Xgmi:
        return QStringLiteral("xGMI");
    case LinkKind::Pcie:
        return QStringLiteral("PCIe");
    case LinkKind::Network:
        return Words::tr("Network");
    case LinkKind::Host:
        return Words::tr("Host");
    case LinkKind::SharedMemory:
        break;
    }
    return Words::tr("Shared memory");
}

std::optional<double> bandwidthOf(const Link& link)
{
    return link.measuredBandwidth ? link.measuredBandwidth : link.bandwidth;
}

QString rateText(const std::optional<double>& bytesPerSecond)
{
    return bytesPerSecond ? QString::fromStdString(formatBandwidth(*bytesPerSecond))
                          : QStringLiteral("?");
}

QString linkRates(const Link& link)
{
    return link.measuredBandwidth
        ? Words::tr("%1 of %2").arg(rateText(link.measuredBandwidth), rateText(link.bandwidth))
        : rateText(link.bandwidth);
}

QString linkText(const Link& link)
{
    QString text = linkName(link.kind);
    if (link.kind == LinkKind::NvLink && link.lanes > 0)
        text += Words::tr(" of %1 lanes").arg(link.lanes);
    text += link.bandwidth ? Words::tr(", %1 one way").arg(rateText(link.bandwidth))
                           : Words::tr(", bandwidth not known");
    if (link.measuredBandwidth)
        text += Words::tr(", %1 measured").arg(rateText(link.measuredBandwidth));
    return text;
}

} // namespace stageloom
