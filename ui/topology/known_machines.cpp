// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/known_machines.h"

#include <QCoreApplication>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(KnownMachines)
};

std::vector<KnownMachine> all()
{
    return {
        { QStringLiteral("local"), Words::tr("This machine"), {}, 0, 0 },
        { QStringLiteral("cpu"), Words::tr("CPU workers"), Words::tr("Workers"), 2, 256 },
        { QStringLiteral("rtx3090"), Words::tr("RTX 3090 in one host"), Words::tr("GPUs"), 4, 16 },
        { QStringLiteral("rtx4090"), Words::tr("RTX 4090 in one host"), Words::tr("GPUs"), 4, 16 },
        { QStringLiteral("dgx1-v100-16g"), Words::tr("DGX-1, 8 × V100 16 GB"), Words::tr("GPUs"), 8,
            8 },
        { QStringLiteral("v100-8x8"), Words::tr("8 servers of 8 × V100 16 GB"), Words::tr("GPUs"),
            64, 64 },
        { QStringLiteral("dgx-a100"), Words::tr("DGX A100, 8 × A100 40 GB"), Words::tr("GPUs"), 8,
            8 },
        { QStringLiteral("dgx-a100-80g"), Words::tr("DGX A100, 8 × A100 80 GB"), Words::tr("GPUs"),
            8, 8 },
        { QStringLiteral("dgx-h100"), Words::tr("DGX H100, 8 × H100 80 GB"), Words::tr("GPUs"), 8,
            8 },
        { QStringLiteral("frontier"), Words::tr("Frontier nodes, 8 × MI250X GCD"),
            Words::tr("Nodes"), 2, 32 },
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
