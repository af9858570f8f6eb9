// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/topology_page.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/topology/known_machines.h"
#include "ui/topology/link_legend.h"
#include "ui/topology/machine_details.h"
#include "ui/topology/matrix_panel.h"
#include "ui/topology/topology_view.h"
#include "ui/topology/what_if_panel.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/segments.h"
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedLayout>
#include <QStackedWidget>
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

// As much of a name as a button has room for; the tooltip says all of it.
QString shortName(const QString& name)
{
    constexpr qsizetype kMost = 16;
    return name.size() <= kMost ? name : name.left(kMost - 1) + QStringLiteral("…");
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
    connect(&workspace.document, &PlanDocument::planChanged, this, &TopologyPage::showPlan);
    connect(&workspace.predictor, &Predictor::predicted, this, &TopologyPage::showPlan);
    connect(&workspace.document, &PlanDocument::documentChanged, this, &TopologyPage::showActions);
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
    m_matrix = new MatrixPanel(m_workspace.topology);
    m_matrix->setMinimumWidth(320);
    side->addWidget(m_matrix, 3);
    // Below the matrix: what another machine would do, or what is known of the part chosen.
    auto* below = new QStackedWidget;
    auto* whatIf = new WhatIfPanel(m_workspace);
    auto* details = new MachineDetails(m_workspace.topology);
    auto* scroll = scrolled(details);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    below->addWidget(whatIf);
    below->addWidget(scroll);
    below->setMinimumSize(320, 120);
    for (Panel* panel : { static_cast<Panel*>(whatIf), static_cast<Panel*>(details) }) {
        auto* which = new Segments(tr("Below the matrix"), { tr("What if"), tr("Details") });
        panel->addControl(which);
        connect(which, &Segments::chosen, below, &QStackedWidget::setCurrentIndex);
        connect(below, &QStackedWidget::currentChanged, which, &Segments::setCurrent);
    }
    connect(&m_workspace.topology, &TopologyState::selectionChanged, below, [this, below] {
        const MachineSelection& now = m_workspace.topology.selection();
        below->setCurrentIndex(now.isDevice() || now.isPair() ? 1 : 0);
    });
    connect(whatIf, &WhatIfPanel::concerned, m_view, &TopologyView::setWhatIf);
    side->addWidget(below, 4);
    columns->addLayout(side, 2);
    return content;
}

Panel* TopologyPage::buildPicture()
{
    auto* panel = m_picture = new Panel(tr("Devices and links"));
    m_numbers = new Segments(
        tr("Numbers at links"), { tr("traffic a step"), tr("bandwidth"), tr("latency") });
    m_counted = makeLabel(QString(), "caption");
    m_count = new QSpinBox;
    m_count->setKeyboardTracking(false);
    m_count->setAlignment(Qt::AlignRight);
    m_count->setAccessibleName(tr("How many"));
    m_count->setToolTip(tr("Shows the same kind of machine with as many of them"));
    panel->addControl(m_counted);
    panel->addControl(m_count);
    panel->addControl(m_numbers);
    m_view = new TopologyView(m_workspace.topology);
    panel->body()->addWidget(scrolled(m_view), 1);
    m_legend = new LinkLegend;
    m_peer = makeLabel(QString(), "caption");
    m_peer->setWordWrap(true);
    panel->body()->addWidget(m_peer);
    panel->body()->addWidget(m_legend);
    m_live = new ElidedLabel("caption");
    m_live->setWords(tr("No live load or host memory: no driver that tells it is read here."));
    panel->body()->addWidget(m_live);
    connect(m_numbers, &Segments::chosen, this,
        [this](int which) { m_view->setNumbers(static_cast<LinkNumbers>(which)); });
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
        showCount();
    }
    showPlan();
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

void TopologyPage::showPlan()
{
    const auto& topology = m_workspace.topology.topology();
    if (!topology)
        return;
    const PlanDocument& document = m_workspace.document;
    const Predictor& predictor = m_workspace.predictor;
    PlanOnMachine shown;
    QString caption;
    if (document.isOpen() && m_workspace.topology.isPlans()) {
        // Only what was predicted of this very cut; else stages without numbers.
        const auto prediction = predictor.prediction();
        const bool holds
            = prediction != nullptr && prediction->stages.size() == document.plan().stages.size();
        shown = planOnMachine(document.plan(), holds ? prediction.get() : nullptr);
        caption = m_workspace.model.name() + QStringLiteral(" · ") + shortPlanText(document.plan());
        if (holds)
            caption += QStringLiteral(" · ") + tr("step %1").arg(stepTimeText(*prediction));
    }
    m_picture->setCaption(caption);
    const bool planned = !shown.devices.empty();
    m_numbers->setAvailable(static_cast<int>(LinkNumbers::Traffic), true,
        planned ? tr("What the plan moves over a link in a step, both ways")
                : tr("No plan is open for this machine: there is no traffic"));
    const QString peer = peerAccessText(*topology, shown);
    m_peer->setText(peer.isEmpty() ? QString() : QStringLiteral("⚠ ") + peer);
    m_peer->setVisible(!peer.isEmpty());
    m_legend->setTopology(*topology, planned, !peer.isEmpty());
    m_view->setPlan(shown);
    m_matrix->setPlan(shown);
}

void TopologyPage::showActions()
{
    const bool shown = m_workspace.topology.topology().has_value();
    const bool model = m_workspace.model.model().has_value();
    const PlanDocument& document = m_workspace.document;
    const QString name = shortName(m_workspace.model.name());
    m_use->setEnabled(shown && document.isOpen() && !m_workspace.topology.isPlans());
    m_use->setText(document.isOpen()
            ? tr("Move %1 here")
                  .arg(shortName(QString::fromStdString(document.plan().name)
                                     .section(QStringLiteral(" on "), 0, 0)))
            : tr("Move the plan here"));
    m_plan->setEnabled(shown && model);
    m_plan->setText(model ? tr("Plan %1 here").arg(name) : tr("Plan here"));
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
    m_workspace.planShownModel();
}

} // namespace stageloom
