// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/known_machines.h"

#include "core/cluster/topology.h"
#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(KnownMachines)
};

constexpr int kUsualGpus = 4, kUsualOthers = 2; // where a preset comes in any number

// A preset is called as it calls itself, without the number where that is chosen beside it.
KnownMachine knownFrom(const TopologyPreset& preset)
{
    KnownMachine machine;
    machine.name = QString::fromStdString(preset.name);
    machine.most = preset.most;
    machine.usual = preset.all > 0 ? preset.all : std::min(kUsualGpus, preset.most);
    const auto made = readTopology(machine.source(machine.usual).toStdString());
    if (!made || made->devices.empty())
        return {};
    machine.title = QString::fromStdString(made->title);
    const bool workers = made->devices.front().kind == DeviceKind::CpuWorker;
    const bool nodes = made->devices.size() != static_cast<std::size_t>(machine.usual);
    machine.counted = nodes ? Words::tr("Nodes")
        : workers           ? Words::tr("Workers")
                            : Words::tr("GPUs");
    if (preset.all > 0)
        return machine;
    if (workers || nodes)
        machine.usual = kUsualOthers;
    static const QRegularExpression number(QStringLiteral("^[0-9]+ (× )?"));
    machine.title.remove(number);
    return machine;
}

std::vector<KnownMachine> all()
{
    std::vector<KnownMachine> machines { { QStringLiteral("local"), Words::tr("This machine"), {},
        0, 0 } };
    for (const TopologyPreset& preset : topologyPresetTable())
        if (KnownMachine machine = knownFrom(preset); !machine.name.isEmpty())
            machines.push_back(std::move(machine));
    return machines;
}

} // namespace

QString KnownMachine::source(int count) const
{
    return usual == 0 ? name : QStringLiteral("%1:%2").arg(name).arg(count);
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
