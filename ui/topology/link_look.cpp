// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/link_look.h"

#include "core/base/units.h"
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

QColor linkColour(LinkKind kind)
{
    const Theme& look = theme();
    switch (kind) {
    case LinkKind::NvLink:
        return look.good;
    case LinkKind::NvSwitch:
        return Theme::mix(look.good, look.accent, 0.5);
    case LinkKind::Xgmi:
        return look.bad;
    case LinkKind::Pcie:
        return look.accent;
    case LinkKind::Network:
        return look.warning;
    case LinkKind::SharedMemory:
        return Theme::mix(look.accent, look.muted, 0.5);
    case LinkKind::Host:
        break;
    }
    return look.muted;
}

QPen linkPen(LinkKind kind, double bandwidth)
{
    // 1.4 px at 10 GB/s and less, 1.4 px more for each factor of ten.
    const double width
        = 1.4 * (1 + std::clamp(std::log10(std::max(bandwidth, 1.0) / 1e10), 0.0, 2.0));
    QPen pen(linkColour(kind), width);
    if (kind == LinkKind::Network)
        pen.setStyle(Qt::DashLine);
    else if (kind == LinkKind::Host || kind == LinkKind::SharedMemory)
        pen.setDashPattern({ 1.5, 1.5 });
    pen.setCapStyle(Qt::FlatCap);
    return pen;
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

QString linkCode(const Link& link)
{
    switch (link.kind) {
    case LinkKind::NvLink:
        return link.lanes > 0 ? QStringLiteral("NV%1").arg(link.lanes) : QStringLiteral("NV");
    case LinkKind::NvSwitch:
        return QStringLiteral("NVS");
    case LinkKind::Xgmi:
    case LinkKind::Pcie:
        return linkName(link.kind);
    case LinkKind::Network:
        return Words::tr("net");
    case LinkKind::Host:
        return Words::tr("host");
    case LinkKind::SharedMemory:
        break;
    }
    return Words::tr("shm");
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
        ? Words::tr("%1 nominal · %2 measured")
              .arg(rateText(link.bandwidth), rateText(link.measuredBandwidth))
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
