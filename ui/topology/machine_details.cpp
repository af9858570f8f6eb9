// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/machine_details.h"

#include "core/base/units.h"
#include "core/plan/cost_model.h"
#include "ui/theme/text.h"
#include "ui/topology/link_look.h"
#include "ui/widgets/fact_rows.h"
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace stageloom {

namespace {

QString bytes(const std::optional<double>& value)
{
    return value ? bytesText(*value) : MachineDetails::tr("not known");
}

QString flops(const std::optional<double>& value)
{
    return value ? flopsText(*value) + QStringLiteral("/s") : MachineDetails::tr("not known");
}

} // namespace

MachineDetails::MachineDetails(TopologyState& state, QWidget* parent)
    : Panel(tr("Details"), parent)
    , m_state(state)
    , m_facts(new FactRows)
    , m_text(makeLabel(QString(), "caption"))
    , m_unplug(new QPushButton(tr("Unplug")))
    , m_add(new QPushButton(tr("Add another")))
    , m_remove(new QPushButton(tr("Remove")))
{
    body()->addWidget(m_facts);
    m_text->setWordWrap(true);
    body()->addWidget(m_text);
    body()->addStretch(1);
    auto* buttons = new QHBoxLayout;
    m_unplug->setToolTip(tr("Take this link away (Delete)"));
    m_add->setToolTip(tr("Add a device like this one to its server (+)"));
    m_remove->setToolTip(tr("Take this device away (Delete)"));
    for (QPushButton* button : { m_unplug, m_add, m_remove })
        buttons->addWidget(button);
    buttons->addStretch(1);
    body()->addLayout(buttons);
    connect(m_unplug, &QPushButton::clicked, this,
        [this] { m_state.unplug(m_state.selection().a, m_state.selection().b); });
    connect(m_add, &QPushButton::clicked, this, [this] { m_state.addLike(m_state.selection().a); });
    connect(
        m_remove, &QPushButton::clicked, this, [this] { m_state.remove(m_state.selection().a); });
    connect(&state, &TopologyState::selectionChanged, this, &MachineDetails::showSelection);
    showSelection();
}

void MachineDetails::showSelection()
{
    const auto& topology = m_state.topology();
    if (!topology)
        return;
    const MachineSelection& now = m_state.selection();
    m_unplug->setVisible(now.isPair());
    m_unplug->setEnabled(m_state.selectedLink() != nullptr);
    m_add->setVisible(now.isDevice());
    m_remove->setVisible(now.isDevice());
    m_remove->setEnabled(topology->devices.size() > 1);
    QStringList text;
    if (now.isDevice()) {
        const Device& device = topology->devices[static_cast<std::size_t>(now.a)];
        setCaption(deviceLabel(device));
        m_facts->setFacts(deviceFacts(device));
        text << tr("Live use and memory: no driver here.");
    } else if (now.isPair()) {
        setCaption(
            tr("%1 – %2").arg(deviceLabel(topology->devices[static_cast<std::size_t>(now.a)]),
                deviceLabel(topology->devices[static_cast<std::size_t>(now.b)])));
        m_facts->setFacts(pairFacts(now.a, now.b));
    } else {
        setCaption(tr("choose a device or a link to change it"));
        m_facts->setFacts(machineFacts());
        for (const std::string& note : topology->notes)
            text << QStringLiteral("• ") + QString::fromStdString(note);
    }
    m_text->setText(text.join(u'\n'));
}

MachineDetails::Facts MachineDetails::machineFacts() const
{
    const Topology& machine = *m_state.topology();
    int servers = 1;
    for (const Device& device : machine.devices)
        servers = std::max(servers, device.server + 1);
    Facts facts;
    facts << std::pair(tr("Devices"), QString::number(machine.devices.size()));
    if (servers > 1)
        facts << std::pair(tr("Servers"), QString::number(servers));
    facts << std::pair(tr("Host memory"), bytes(machine.hostMemoryBytes))
          << std::pair(tr("To and from the host"), rateText(machine.pcieUpBandwidth));
    if (!machine.nics.empty())
        facts << std::pair(tr("Network cards"),
            tr("%1 of %2").arg(machine.nics.size()).arg(rateText(machine.nics.front().bandwidth)));
    if (!machine.switches.empty())
        facts << std::pair(tr("Switches"), QString::number(machine.switches.size()));
    return facts;
}

MachineDetails::Facts MachineDetails::deviceFacts(const Device& device) const
{
    Facts facts;
    facts << std::pair(tr("Name"), QString::fromStdString(device.name))
          << std::pair(tr("Memory"), bytes(device.memoryBytes))
          << std::pair(tr("Memory speed"), rateText(device.memoryBandwidth))
          << std::pair(tr("Peak fp32"), flops(device.flopsFp32))
          << std::pair(tr("Peak fp16"), flops(device.flopsFp16));
    QStringList place { tr("server %1").arg(device.server) };
    if (device.numa)
        place << tr("NUMA %1").arg(*device.numa);
    if (device.pcieSwitch)
        place << QString::fromStdString(*device.pcieSwitch);
    facts << std::pair(tr("Place"), place.join(QStringLiteral(", ")));
    return facts;
}

MachineDetails::Facts MachineDetails::pairFacts(int a, int b) const
{
    const Topology& machine = *m_state.topology();
    const Link* link = machine.linkBetween(a, b);
    Facts facts;
    facts << std::pair(tr("Kind"), link != nullptr ? linkName(link->kind) : tr("unplugged"));
    if (link != nullptr) {
        facts << std::pair(tr("Nominal, one way"), rateText(link->bandwidth))
              << std::pair(tr("Measured"),
                     link->measuredBandwidth ? rateText(link->measuredBandwidth)
                                             : tr("not measured"));
        if (link->lanes > 0)
            facts << std::pair(tr("Lanes"), QString::number(link->lanes));
    }
    // What predictions take where the machine leaves it open is worth knowing.
    facts << std::pair(tr("Predictions take"), rateText(Speeds::link(machine, a, b)));
    return facts;
}

} // namespace stageloom
