// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/topology_page.h"

#include "ui/pages/panel.h"
#include "ui/pages/topology_view.h"
#include "ui/theme/theme.h"
#include <QFileDialog>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

namespace stageloom {

TopologyPage::TopologyPage(Workspace& workspace, QWidget* parent)
    : Page(parent)
    , m_workspace(workspace)
    , m_stack(new QStackedLayout(this))
    , m_preset(new QPushButton(tr("Known machine")))
    , m_open(new QPushButton(tr("Open…")))
{
    m_open->setObjectName(QStringLiteral("primary"));
    m_open->setToolTip(tr("Open a topology JSON file"));
    m_preset->setToolTip(tr("Show a machine from the presets, or this one"));
    auto* menu = new QMenu(m_preset);
    for (const char* name : { "local", "cpu:2", "rtx4090:4", "dgx1-v100-16g", "v100-8x8",
             "dgx-a100", "dgx-h100", "frontier:2" })
        menu->addAction(QString::fromLatin1(name), this,
            [this, name] { m_workspace.topology.open(QString::fromLatin1(name)); });
    m_preset->setMenu(menu);
    m_stack->addWidget(new EmptyNotice(
        tr("No machine is shown"), tr("Open or drop a topology file, or choose a known machine.")));
    m_stack->addWidget(buildContent());
    connect(m_open, &QPushButton::clicked, this, &TopologyPage::openTopology);
    connect(&workspace.topology, &TopologyState::changed, this, &TopologyPage::showTopology);
    showTopology();
}

QWidget* TopologyPage::buildContent()
{
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(20, 16, 16, 12);
    layout->setSpacing(Theme::kGap);
    auto* drawn = new Panel(tr("Devices and links"));
    drawn->setCaption(
        tr("green: NVLink, NVSwitch, xGMI · blue: PCIe · amber: network · grey: host"));
    m_view = new TopologyView;
    drawn->body()->addWidget(m_view, 1);
    layout->addWidget(drawn, 3);
    auto* matrix = new Panel(tr("Link matrix"));
    auto* table = new QTableView;
    table->setModel(&m_matrix);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->setDefaultSectionSize(44);
    table->horizontalHeader()->setDefaultSectionSize(120);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    table->setAccessibleName(tr("Link matrix"));
    matrix->body()->addWidget(table, 1);
    layout->addWidget(matrix, 2);
    return content;
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
    return topology
        ? tr("%1 devices · %2 links").arg(topology->devices.size()).arg(topology->links.size())
        : QString();
}

QList<QWidget*> TopologyPage::actions() const
{
    return { m_preset, m_open };
}

void TopologyPage::showTopology()
{
    const auto& topology = m_workspace.topology.topology();
    m_stack->setCurrentIndex(topology ? 1 : 0);
    if (topology) {
        m_view->setTopology(*topology);
        m_matrix.setTopology(*topology);
    }
    emit headerChanged();
}

void TopologyPage::openTopology()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a machine"), {}, tr("Topologies (*.json *.txt *.xml);;All files (*)"));
    if (!path.isEmpty())
        m_workspace.topology.open(path);
}

} // namespace stageloom
