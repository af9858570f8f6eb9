// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_page.h"

#include "core/base/units.h"
#include "ui/model/layer_strip.h"
#include "ui/model/layers_panel.h"
#include "ui/model/measure_panel.h"
#include "ui/model/model_summary.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include <QComboBox>
#include <QFileDialog>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace stageloom {

namespace {

constexpr int kStripWidth = 232, kSideWidth = 268; // px

QScrollArea* scrolled(QWidget* content)
{
    auto* area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFixedWidth(kSideWidth);
    area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    return area;
}

} // namespace

ModelPage::ModelPage(Workspace& workspace, QWidget* parent)
    : Page(parent)
    , m_workspace(workspace)
    , m_stack(new QStackedLayout(this))
    , m_presets(new QPushButton(tr("Presets")))
    , m_open(new QPushButton(tr("Open")))
    , m_plan(new QPushButton(tr("Plan this model")))
{
    buildActions();
    m_stack->addWidget(new EmptyNotice(tr("No model is open"),
        tr("Choose a preset, or open or drop a config.json or the folder that holds one.")));
    m_stack->addWidget(buildContent());
    connect(&workspace.model, &ModelState::changed, this, &ModelPage::showModel);
    connect(&workspace.model, &ModelState::profileChanged, this, &ModelPage::showTimes);
    connect(&workspace.topology, &TopologyState::changed, this, &ModelPage::headerChanged);
    showModel();
    showTimes();
}

void ModelPage::buildActions()
{
    m_presets->setToolTip(tr("Show a model that comes with Stageloom"));
    auto* presets = new QMenu(m_presets);
    for (const std::string& name : modelPresets()) {
        const QString word = QString::fromStdString(name);
        presets->addAction(
            word, this, [this, word] { m_workspace.model.open(QStringLiteral("preset:") + word); });
    }
    m_presets->setMenu(presets);
    m_open->setToolTip(tr("Open a Hugging Face model: its config.json or its folder"));
    auto* open = new QMenu(m_open);
    open->addAction(tr("A config.json…"), this, &ModelPage::openFile);
    open->addAction(tr("A model's folder…"), this, &ModelPage::openFolder);
    m_open->setMenu(open);
    m_plan->setObjectName(QStringLiteral("primary"));
    connect(m_plan, &QPushButton::clicked, this, &ModelPage::planModel);
}

QWidget* ModelPage::buildContent()
{
    auto* content = new QWidget;
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(20, 16, 16, 12);
    columns->setSpacing(Theme::kGap);
    columns->addWidget(buildStrip());
    m_table = new LayersPanel(m_layers);
    columns->addWidget(m_table, 1);
    auto* side = new QWidget;
    auto* rows = new QVBoxLayout(side);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(Theme::kGap);
    rows->addWidget(new ModelSummary(m_workspace.model));
    rows->addWidget(new MeasurePanel(m_workspace));
    rows->addStretch(1);
    columns->addWidget(scrolled(side));
    connect(m_table, &LayersPanel::layerChosen, m_strip, &LayerStrip::setCurrent);
    connect(m_strip, &LayerStrip::layerChosen, m_table, &LayersPanel::setCurrent);
    connect(m_table, &LayersPanel::searched, m_strip, &LayerStrip::setKept);
    return content;
}

Panel* ModelPage::buildStrip()
{
    auto* panel = new Panel(tr("Blocks"));
    panel->setFixedWidth(kStripWidth);
    m_measure = new QComboBox;
    m_measure->addItem(tr("Parameters"));
    m_measure->addItem(tr("Forward FLOPs"));
    m_measure->addItem(tr("Activations"));
    m_measure->setToolTip(tr("What the height and the strength of a block stand for"));
    m_measure->setAccessibleName(tr("Blocks as high as"));
    panel->addControl(m_measure);
    m_strip = new LayerStrip;
    panel->body()->addWidget(m_strip, 1);
    connect(m_measure, &QComboBox::currentIndexChanged, this, &ModelPage::showMeasure);
    return panel;
}

QString ModelPage::title() const
{
    const QString name = m_workspace.model.name();
    return name.isEmpty() ? tr("No model open") : name;
}

QString ModelPage::subtitle() const
{
    const auto& model = m_workspace.model.model();
    if (!model)
        return {};
    const QString machine = m_workspace.topology.topology()
        ? tr("to plan on %1").arg(QString::fromStdString(m_workspace.topology.topology()->title))
        : tr("choose a machine on the Topology page to plan it");
    return tr("%1 · %2 parameters · %3")
        .arg(QString::fromStdString(model->family),
            countText(static_cast<double>(model->parameters)), machine);
}

QList<QWidget*> ModelPage::actions() const
{
    return { m_presets, m_open, m_plan };
}

void ModelPage::showModel()
{
    const auto& model = m_workspace.model.model();
    m_stack->setCurrentIndex(model ? 1 : 0);
    m_plan->setEnabled(model.has_value());
    m_plan->setToolTip(model
            ? tr("Look for plans of this model on the machine of the Topology page")
            : tr("Open a model first"));
    if (model) {
        m_layers.setLayers(model->layers);
        m_strip->setLayers(model->layers);
        m_table->setCaption(tr("a sample of %n token(s)", nullptr, static_cast<int>(model->seq)));
        showTimes();
    }
    emit headerChanged();
}

void ModelPage::showTimes()
{
    const auto& profile = m_workspace.model.profile();
    m_layers.setProfile(profile);
    m_table->setTimesShown(profile.has_value());
    const int time = static_cast<int>(LayerMeasure::Time);
    if (profile && m_measure->count() == time)
        m_measure->addItem(tr("Measured time"));
    else if (!profile && m_measure->count() > time)
        m_measure->removeItem(time);
    showMeasure();
}

void ModelPage::showMeasure()
{
    const auto& model = m_workspace.model.model();
    if (!model)
        return;
    const auto measure = static_cast<LayerMeasure>(std::max(0, m_measure->currentIndex()));
    m_layers.setMeasure(measure);
    m_strip->setValues(measure, measuresOf(model->layers, measure, m_workspace.model.profile()));
}

void ModelPage::openFile()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a model"), {}, tr("Model configurations (*.json);;All files (*)"));
    if (!path.isEmpty())
        m_workspace.openFile(path);
}

void ModelPage::openFolder()
{
    const QString path = QFileDialog::getExistingDirectory(this, tr("Open a model's folder"));
    if (!path.isEmpty())
        m_workspace.openFile(path);
}

void ModelPage::planModel()
{
    if (const auto& model = m_workspace.model.model())
        m_workspace.planFor(*model, m_workspace.model.source(), m_workspace.topology.topology());
}

} // namespace stageloom
