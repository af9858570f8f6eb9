// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/known_machines.h"

#include <QCoreApplication>

namespace stageloom {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("KnownMachines", text);
}

std::vector<KnownMachine> all()
{
    return {
        { QStringLiteral("local"), tr("This machine"), {}, 0, 0 },
        { QStringLiteral("cpu"), tr("CPU workers"), tr("Workers"), 2, 256 },
        { QStringLiteral("rtx3090"), tr("RTX 3090 in one host"), tr("GPUs"), 4, 16 },
        { QStringLiteral("rtx4090"), tr("RTX 4090 in one host"), tr("GPUs"), 4, 16 },
        { QStringLiteral("dgx1-v100-16g"), tr("DGX-1, 8 × V100 16 GB"), tr("GPUs"), 8, 8 },
        { QStringLiteral("v100-8x8"), tr("8 servers of 8 × V100 16 GB"), tr("GPUs"), 64, 64 },
        { QStringLiteral("dgx-a100"), tr("DGX A100, 8 × A100 40 GB"), tr("GPUs"), 8, 8 },
        { QStringLiteral("dgx-a100-80g"), tr("DGX A100, 8 × A100 80 GB"), tr("GPUs"), 8, 8 },
        { QStringLiteral("dgx-h100"), tr("DGX H100, 8 × H100 80 GB"), tr("GPUs"), 8, 8 },
        { QStringLiteral("frontier"), tr("Frontier nodes, 8 × MI250X GCD"), tr("Nodes"), 2, 32 },
    };
}

} // namespace

QString KnownMachine::source(int count) const
{
    return counted.isEmpty() ? name : QStringLiteral("%1:%2").arg(name).arg(count);
}

const std::vector<KnownMachine>& knownMachines()
{
    static const std::vector<KnownMachine> machines = all();
    return machines;
}

const KnownMachine* knownMachine(const QString& source, int& count)
{
    for (const KnownMachine& machine : knownMachines()) {
        if (source.section(u':', 0, 0) != machine.name)
            continue;
        const QString number = source.section(u':', 1);
        count = number.isEmpty() ? machine.usual : number.toInt();
        return &machine;
    }
    return nullptr;
}

} // namespace stageloom
