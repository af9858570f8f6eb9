// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/topology_page.h"

#include "ui/theme/theme.h"
#include "ui/topology/known_machines.h"
#include "ui/topology/link_legend.h"
#include "ui/topology/machine_details.h"
#include "ui/topology/matrix_panel.h"
#include "ui/topology/topology_view.h"
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace stageloom {

namespace {

QScrollArea* scrolled(QWidget* content)
{
    auto* area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    return area;
}

} // namespace

TopologyPage::TopologyPage(Workspace& workspace, QWidget* parent)
    : Page(parent)
    , m_workspace(workspace)
    , m_stack(new QStackedLayout(this))
    , m_known(new QPushButton(tr("Known machine")))
    , m_open(new QPushButton(tr("Open…")))
    , m_use(new QPushButton(tr("Use in this plan")))
    , m_plan(new QPushButton(tr("Plan on this machine")))
{
    buildActions();
    m_stack->addWidget(new EmptyNotice(
        tr("No machine is shown"), tr("Choose a known machine, or open or drop a topology file.")));
    m_stack->addWidget(buildContent());
    connect(&workspace.topology, &TopologyState::changed, this, &TopologyPage::showTopology);
    connect(&workspace.document, &PlanDocument::planChanged, this, &TopologyPage::showStages);
    connect(&workspace.model, &ModelState::changed, this, &TopologyPage::showActions);
    showTopology();
}

void TopologyPage::buildActions()
{
    m_known->setToolTip(tr("Show a machine from the presets, or this one"));
    auto* menu = new QMenu(m_known);
    QAction* plans = menu->addAction(
        tr("The plan's machine"), &m_workspace.topology, &TopologyState::showPlans);
    connect(menu, &QMenu::aboutToShow, plans, [this, plans] {
        plans->setEnabled(m_workspace.topology.hasPlans() && !m_workspace.topology.isPlans());
    });
    menu->addSeparator();
    for (const KnownMachine& machine : knownMachines())
        menu->addAction(machine.title, this,
            [this, machine] { m_workspace.topology.open(machine.source(machine.usual)); });
    m_known->setMenu(menu);
    m_open->setToolTip(tr("Open a topology JSON file"));
    m_use->setToolTip(tr("Move the plan's stages to this machine; Undo brings them back"));
    m_plan->setObjectName(QStringLiteral("primary"));
    connect(m_open, &QPushButton::clicked, this, &TopologyPage::openTopology);
    connect(m_use, &QPushButton::clicked, &m_workspace, &Workspace::useShownMachine);
    connect(m_plan, &QPushButton::clicked, this, &TopologyPage::planHere);
}

QWidget* TopologyPage::buildContent()
{
    auto* content = new QWidget;
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(20, 16, 16, 12);
    columns->setSpacing(Theme::kGap);
    columns->addWidget(buildPicture(), 3);
    auto* side = new QVBoxLayout;
    side->setSpacing(Theme::kGap);
    auto* matrix = new MatrixPanel(m_workspace.topology);
    matrix->setMinimumWidth(320);
    side->addWidget(matrix, 3);
    auto* details = new MachineDetails(m_workspace.topology);
    details->setMinimumWidth(320);
    auto* scroll = scrolled(details);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    side->addWidget(scroll, 2);
    columns->addLayout(side, 2);
    return content;
}

Panel* TopologyPage::buildPicture()
{
    auto* panel = new Panel(tr("Devices and links"));
    m_counted = makeLabel(QString(), "caption");
    m_count = new QSpinBox;
    m_count->setKeyboardTracking(false);
    m_count->setAlignment(Qt::AlignRight);
    m_count->setAccessibleName(tr("How many"));
    m_count->setToolTip(tr("Shows the same kind of machine with as many of them"));
    panel->addControl(m_counted);
    panel->addControl(m_count);
    m_view = new TopologyView(m_workspace.topology);
    panel->body()->addWidget(scrolled(m_view), 1);
    m_legend = new LinkLegend;
    panel->body()->addWidget(m_legend);
    connect(m_count, &QSpinBox::valueChanged, this, [this](int count) {
        int before = 0;
        const auto& topology = m_workspace.topology.topology();
        const KnownMachine* machine
            = topology ? knownMachine(QString::fromStdString(topology->name), before) : nullptr;
        if (machine != nullptr && !machine->counted.isEmpty() && count != before)
            m_workspace.topology.open(machine->source(count));
    });
    return panel;
}

QString TopologyPage::title() const
{
    const auto& topology = m_workspace.topology.topology();
    if (!topology)
        return tr("No machine");
    return QString::fromStdString(topology->title.empty() ? topology->name : topology->title);
}

QString TopologyPage::subtitle() const
{
    const auto& topology = m_workspace.topology.topology();
    if (!topology)
        return {};
    const QString size = tr("%n device(s)", nullptr, static_cast<int>(topology->devices.size()));
    return size + QStringLiteral(" · ")
        + (m_workspace.topology.isPlans() ? tr("the plan's machine") : tr("only looked at"));
}

QList<QWidget*> TopologyPage::actions() const
{
    return { m_known, m_open, m_use, m_plan };
}

void TopologyPage::showTopology()
{
    const auto& topology = m_workspace.topology.topology();
    m_stack->setCurrentIndex(topology ? 1 : 0);
    if (topology) {
        m_legend->setTopology(*topology);
        showCount();
    }
    showStages();
    showActions();
    emit headerChanged();
}

void TopologyPage::showCount()
{
    int count = 0;
    const KnownMachine* machine
        = knownMachine(QString::fromStdString(m_workspace.topology.topology()->name), count);
    const bool counted = machine != nullptr && !machine->counted.isEmpty();
    m_counted->setVisible(counted);
    m_count->setVisible(counted);
    if (!counted)
        return;
    const QSignalBlocker quiet(m_count);
    m_counted->setText(machine->counted);
    m_count->setRange(1, machine->most);
    m_count->setValue(count);
}

void TopologyPage::showStages()
{
    std::map<int, int> stageOf;
    const PlanDocument& document = m_workspace.document;
    if (document.isOpen() && m_workspace.topology.isPlans())
        for (int stage = 0; stage < document.plan().depth(); ++stage)
            for (const int device : document.plan().stages[static_cast<std::size_t>(stage)].devices)
                stageOf[device] = stage;
    m_view->setStages(std::move(stageOf));
}

void TopologyPage::showActions()
{
    const bool shown = m_workspace.topology.topology().has_value();
    const bool model = m_workspace.model.model().has_value();
    m_use->setEnabled(shown && m_workspace.document.isOpen() && !m_workspace.topology.isPlans());
    m_plan->setEnabled(shown && model);
    m_plan->setToolTip(model
            ? tr("Look for plans of %1 on this machine").arg(m_workspace.model.name())
            : tr("Open a model on the Model page first"));
}

void TopologyPage::openTopology()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a machine"), {}, tr("Topologies (*.json);;All files (*)"));
    if (!path.isEmpty())
        m_workspace.openFile(path);
}

void TopologyPage::planHere()
{
    if (const auto& model = m_workspace.model.model())
        m_workspace.planFor(*model, m_workspace.model.source(), m_workspace.topology.topology());
}

} // namespace stageloom
