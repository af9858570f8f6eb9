// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_page.h"

#include "core/base/units.h"
#include "ui/model/layer_strip.h"
#include "ui/model/layers_panel.h"
#include "ui/model/measure_panel.h"
#include "ui/model/model_files.h"
#include "ui/model/model_summary.h"
#include "ui/model/operator_panel.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/segments.h"
#include <QFileDialog>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace stageloom {

namespace {

constexpr int kStripWidth = 280, kSideWidth = 262; // px

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
    connect(&workspace.document, &PlanDocument::planChanged, this, &ModelPage::showStages);
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
    m_chosen = new OperatorPanel(m_layers);
    auto* middle = new QVBoxLayout;
    middle->setSpacing(Theme::kGap);
    middle->addWidget(m_table, 1);
    middle->addWidget(m_chosen);
    columns->addLayout(middle, 1);
    auto* side = new QWidget;
    auto* rows = new QVBoxLayout(side);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(Theme::kGap);
    rows->addWidget(new ModelSummary(m_workspace.model));
    rows->addWidget(new ModelFilesPanels(m_workspace.model));
    rows->addWidget(new MeasurePanel(m_workspace));
    rows->addStretch(1);
    columns->addWidget(scrolled(side));
    connect(m_table, &LayersPanel::chosen, this, [this](int layer, int part) {
        m_strip->setCurrent(layer, part);
        choose(layer, part);
    });
    connect(m_strip, &LayerStrip::chosen, this, [this](int layer, int part) {
        m_table->setCurrent(layer, part);
        choose(layer, part);
    });
    connect(m_table, &LayersPanel::searched, m_strip, &LayerStrip::setKept);
    return content;
}

Panel* ModelPage::buildStrip()
{
    auto* panel = new Panel(tr("Shape of the model"));
    panel->setFixedWidth(kStripWidth);
    m_measure = new Segments(
        tr("Blocks as high as"), { tr("Parameters"), tr("FLOP"), tr("Stash"), tr("Time") });
    panel->body()->addWidget(m_measure);
    m_strip = new LayerStrip;
    panel->body()->addWidget(m_strip, 1);
    connect(m_measure, &Segments::chosen, this, &ModelPage::showMeasure);
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
    const PlanDocument& document = m_workspace.document;
    const bool planned = document.isOpen() && model->config == document.plan().modelConfig;
    const auto& machine
        = planned ? std::optional(document.plan().topology) : m_workspace.topology.topology();
    const QString title = machine ? QString::fromStdString(machine->title) : QString();
    return tr("%1 · %2 parameters · %3")
        .arg(QString::fromStdString(model->family),
            countText(static_cast<double>(model->parameters)),
            planned       ? tr("planned on %1").arg(title)
                : machine ? tr("to plan on %1").arg(title)
                          : tr("choose a machine on the Topology page to plan it"));
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
        m_layers.setModel(model);
        m_place = m_layers.placeOf(m_layers.indexOf(model->layers.size() > 1 ? 1 : 0)); // a block
        m_table->openFolds();
        m_strip->setLayers(model->layers);
        showStages();
        m_table->setCaption(tr("equal blocks folded · one sample of %n token(s)", nullptr,
            static_cast<int>(model->seq)));
        showTimes();
    }
    emit headerChanged();
}

void ModelPage::showTimes()
{
    const auto& profile = m_workspace.model.profile();
    m_layers.setProfile(profile);
    m_table->setTimesShown(profile.has_value());
    m_measure->setAvailable(static_cast<int>(LayerMeasure::Time), profile.has_value(),
        profile ? tr("Measured, forward and backward of a microbatch")
                : tr("Not measured yet: profile the model on this machine"));
    showMeasure();
    if (const auto& model = m_workspace.model.model())
        m_chosen->show(*model, m_place);
}

void ModelPage::showMeasure()
{
    const auto& model = m_workspace.model.model();
    if (!model)
        return;
    const auto measure = static_cast<LayerMeasure>(m_measure->current());
    m_strip->setValues(measure, measuresOf(model->layers, measure, m_workspace.model.profile()));
    showParts();
}

// Beside the model: the parts of the layer chosen, else of a block.
void ModelPage::showParts()
{
    const auto& model = m_workspace.model.model();
    const LayerKind kind = m_place.firstLayer >= 0
        ? model->layers[static_cast<std::size_t>(m_place.firstLayer)].kind
        : LayerKind::Block;
    const auto found = m_layers.operators().find(kind);
    const std::vector<Operator> parts
        = found != m_layers.operators().end() ? found->second : std::vector<Operator> {};
    auto measure = static_cast<LayerMeasure>(m_measure->current());
    if (measure == LayerMeasure::Time) // measured of whole layers: their products stand for it
        measure = LayerMeasure::Flops;
    m_strip->setParts(parts, measuresOf(parts, measure));
}

void ModelPage::choose(int layer, int part)
{
    const auto& model = m_workspace.model.model();
    if (!model || layer < 0)
        return;
    m_place = m_layers.placeOf(m_layers.indexOf(layer, part));
    m_chosen->show(*model, m_place);
    showParts();
}

void ModelPage::showStages()
{
    const auto& model = m_workspace.model.model();
    const PlanDocument& document = m_workspace.document;
    std::vector<int> stageOf;
    if (model && document.isOpen() && model->config == document.plan().modelConfig) {
        stageOf.assign(model->layers.size(), -1);
        for (int stage = 0; stage < document.plan().depth(); ++stage) {
            const PlanStage& of = document.plan().stages[static_cast<std::size_t>(stage)];
            for (int i = std::max(0, of.firstLayer);
                 i <= std::min(of.lastLayer, static_cast<int>(stageOf.size()) - 1); ++i)
                stageOf[static_cast<std::size_t>(i)] = stage;
        }
        if (std::find(stageOf.begin(), stageOf.end(), -1) != stageOf.end())
            stageOf.clear();
    }
    m_strip->setStages(stageOf);
    m_chosen->setStages(std::move(stageOf));
    emit headerChanged();
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
    m_workspace.planShownModel();
}

} // namespace stageloom
