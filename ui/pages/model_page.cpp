// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/model_page.h"

#include "core/base/units.h"
#include "ui/pages/panel.h"
#include "ui/theme/theme.h"
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

namespace stageloom {

ModelPage::ModelPage(Workspace& workspace, QWidget* parent)
    : Page(parent)
    , m_workspace(workspace)
    , m_stack(new QStackedLayout(this))
    , m_open(new QPushButton(tr("Open…")))
    , m_plan(new QPushButton(tr("Plan this model")))
{
    m_plan->setObjectName(QStringLiteral("primary"));
    m_plan->setToolTip(tr("Look for plans of this model on the plan's machine"));
    m_open->setToolTip(tr("Open a config.json"));
    m_stack->addWidget(new EmptyNotice(
        tr("No model is open"), tr("Open or drop a config.json, or the folder that holds one.")));
    m_stack->addWidget(buildTable());
    connect(m_open, &QPushButton::clicked, this, &ModelPage::openModel);
    connect(m_plan, &QPushButton::clicked, this, &ModelPage::planModel);
    connect(&workspace.model, &ModelState::changed, this, &ModelPage::showModel);
    showModel();
}

QWidget* ModelPage::buildTable()
{
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(20, 16, 16, 12);
    m_panel = new Panel(tr("Layers"));
    auto* search = new QLineEdit;
    search->setPlaceholderText(tr("Search layers"));
    search->setClearButtonEnabled(true);
    search->setToolTip(tr("Keeps the layers whose name contains this"));
    search->setFixedWidth(220);
    m_panel->addControl(search);
    m_filter.setSourceModel(&m_layers);
    m_filter.setFilterCaseSensitivity(Qt::CaseInsensitive);
    connect(
        search, &QLineEdit::textChanged, &m_filter, &QSortFilterProxyModel::setFilterFixedString);
    auto* table = new QTableView;
    table->setModel(&m_filter);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(Theme::kRowHeight);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table->setAccessibleName(tr("Layers"));
    m_panel->body()->addWidget(table, 1);
    layout->addWidget(m_panel, 1);
    return content;
}

QString ModelPage::title() const
{
    const auto& model = m_workspace.model.model();
    return model ? QString::fromStdString(model->name) : tr("No model open");
}

QString ModelPage::subtitle() const
{
    const auto& model = m_workspace.model.model();
    if (!model)
        return {};
    return tr("%1 · %2 parameters · sequence %3 · %4")
        .arg(QString::fromStdString(model->family),
            QString::fromStdString(formatCount(static_cast<double>(model->parameters))))
        .arg(model->seq)
        .arg(QString::fromStdString(toString(model->dtype)));
}

QList<QWidget*> ModelPage::actions() const
{
    return { m_open, m_plan };
}

void ModelPage::showModel()
{
    const auto& model = m_workspace.model.model();
    m_stack->setCurrentIndex(model ? 1 : 0);
    m_plan->setEnabled(model.has_value());
    if (model) {
        m_layers.setLayers(model->layers);
        m_panel->setCaption(
            tr("%n layer(s) · a sample, forward", nullptr, static_cast<int>(model->layers.size())));
    }
    emit headerChanged();
}

void ModelPage::openModel()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a model"), {}, tr("Model configurations (*.json);;All files (*)"));
    if (!path.isEmpty())
        m_workspace.model.open(path);
}

void ModelPage::planModel()
{
    const auto& model = m_workspace.model.model();
    const auto& topology = m_workspace.topology.topology();
    if (!model)
        return;
    m_workspace.planFor(*model, m_workspace.model.source(), topology);
}

} // namespace stageloom
