// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs_page.h"

#include "core/base/text.h"
#include "ui/pages/panel.h"
#include "ui/plots/curve_plot.h"
#include "ui/theme/theme.h"
#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>
#include <cmath>

namespace stageloom {

namespace {

using Field = double MetricPoint::*;
constexpr Field kFields[] = { &MetricPoint::loss, &MetricPoint::validationLoss,
    &MetricPoint::tokensPerSecond, &MetricPoint::gradNorm, &MetricPoint::learningRate };

Curve curveOf(const RunCurves& run, Field field, const QColor& colour)
{
    Curve curve;
    curve.name
        = QStringLiteral("%1 %2").arg(run.row.id.value).arg(QString::fromStdString(run.row.name));
    curve.colour = colour;
    for (const MetricPoint& point : run.points) {
        if (std::isnan(point.*field))
            continue;
        curve.steps.push_back(static_cast<double>(point.step));
        curve.tokens.push_back(point.tokens);
        curve.seconds.push_back(point.time);
        curve.values.push_back(point.*field);
    }
    return curve;
}

std::string csvOf(const std::vector<RunCurves>& runs)
{
    std::string text = "run,step,time,tokens,loss,validation_loss,tokens_per_second,grad_norm,"
                       "learning_rate,rss_bytes\n";
    for (const RunCurves& run : runs)
        for (const MetricPoint& p : run.points)
            text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", run.row.id.value, p.step, p.time,
                p.tokens, p.loss, p.validationLoss, p.tokensPerSecond, p.gradNorm, p.learningRate,
                p.rssBytes);
    return text;
}

} // namespace

RunsPage::RunsPage(Workspace& workspace, QWidget* parent)
    : Page(parent)
    , m_workspace(workspace)
    , m_message(new MessageBar)
    , m_stack(new QStackedLayout)
    , m_export(new QPushButton(tr("Export…")))
{
    m_export->setObjectName(QStringLiteral("primary"));
    m_export->setToolTip(tr("Write the curves of the chosen runs to a CSV, PNG or SVG file"));
    m_export->setEnabled(false);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(20, 16, 16, 12);
    outer->addWidget(m_message);
    outer->addLayout(m_stack, 1);
    m_stack->addWidget(new EmptyNotice(
        tr("No runs yet"), tr("Start one on the Train page, or with `stageloom train`.")));
    m_stack->addWidget(buildContent());
    m_selectionDelay.setSingleShot(true);
    m_selectionDelay.setInterval(80); // a swept selection loads once
    connect(&m_selectionDelay, &QTimer::timeout, this, &RunsPage::loadSelection);
    connect(m_export, &QPushButton::clicked, this, &RunsPage::exportCurves);
    connect(&workspace.runs, &RunsState::rowsChanged, this, &RunsPage::showRows);
    connect(&workspace.runs, &RunsState::curvesLoaded, this, &RunsPage::showCurves);
    connect(&workspace.runs, &RunsState::failed, m_message, &MessageBar::showSentence);
    connect(&themeNotifier(), &ThemeNotifier::changed, this, &RunsPage::showCurves);
    showRows();
}

QWidget* RunsPage::buildContent()
{
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    auto* panel = new Panel(tr("All runs"));
    auto* search = new QLineEdit;
    search->setPlaceholderText(tr("Filter: words of name, model, schedule, tag…"));
    search->setToolTip(tr("Keeps the runs that have every word"));
    search->setClearButtonEnabled(true);
    search->setFixedWidth(320);
    panel->addControl(search);
    connect(search, &QLineEdit::textChanged, &m_filter, &RunsFilter::setWords);
    m_filter.setSourceModel(&m_model);
    m_table = new QTableView;
    m_table->setModel(&m_filter);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(RunsModel::Number, Qt::DescendingOrder);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(Theme::kRowHeight);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setColumnWidth(RunsModel::Name, 220);
    m_table->setColumnWidth(RunsModel::Started, 170);
    m_table->setAccessibleName(tr("Runs"));
    panel->body()->addWidget(m_table, 1);
    layout->addWidget(panel, 3);
    layout->addWidget(buildCurves(), 2);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, &m_selectionDelay,
        qOverload<>(&QTimer::start));
    return content;
}

QWidget* RunsPage::buildCurves()
{
    auto* panel = new Panel(tr("Curves"));
    panel->setCaption(tr("choose one run or more"));
    m_metric = new QComboBox;
    m_metric->addItems({ tr("Loss"), tr("Validation loss"), tr("Tokens per second"),
        tr("Gradient norm"), tr("Learning rate") });
    m_metric->setToolTip(tr("What is drawn"));
    m_axis = new QComboBox;
    m_axis->addItems({ tr("by step"), tr("by tokens"), tr("by seconds") });
    m_axis->setToolTip(tr("What runs along the axis"));
    panel->addControl(m_metric);
    panel->addControl(m_axis);
    m_plot = new CurvePlot;
    m_plot->setLegend(true);
    panel->body()->addWidget(m_plot, 1);
    connect(m_metric, &QComboBox::currentIndexChanged, this, &RunsPage::showCurves);
    connect(m_axis, &QComboBox::currentIndexChanged, this,
        [this](int axis) { m_plot->setAxis(static_cast<CurveAxis>(axis)); });
    return panel;
}

QString RunsPage::subtitle() const
{
    return tr("%n run(s)", nullptr, static_cast<int>(m_workspace.runs.rows().size()));
}

QList<QWidget*> RunsPage::actions() const
{
    return { m_export };
}

void RunsPage::showRows()
{
    m_model.setRows(m_workspace.runs.rows());
    m_stack->setCurrentIndex(m_model.rowCount() > 0 ? 1 : 0);
    emit headerChanged();
}

void RunsPage::loadSelection()
{
    std::vector<RunId> ids;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        ids.push_back({ index.data(RunsModel::RunIdRole).toLongLong() });
    if (!ids.empty())
        m_workspace.runs.loadCurves(ids);
}

void RunsPage::showCurves()
{
    const Field field = kFields[std::max(0, m_metric->currentIndex())];
    std::vector<Curve> curves;
    for (const RunCurves& run : m_workspace.runs.curves())
        curves.push_back(curveOf(run, field, theme().stage(static_cast<int>(curves.size()))));
    m_export->setEnabled(!curves.empty());
    m_plot->setCurves(std::move(curves));
    m_plot->fit();
}

void RunsPage::exportCurves()
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export the curves"), {}, tr("Numbers (*.csv);;Picture (*.png);;Drawing (*.svg)"));
    if (path.isEmpty())
        return;
    if (path.endsWith(QStringLiteral(".png")) || path.endsWith(QStringLiteral(".svg"))) {
        if (!(path.endsWith(QStringLiteral(".png")) ? m_plot->savePng(path)
                                                    : m_plot->saveSvg(path)))
            m_message->showSentence(tr("%1 could not be written; check the folder.").arg(path));
        return;
    }
    const Status written
        = writeFileAtomically(path.toStdString(), csvOf(m_workspace.runs.curves()));
    if (!written)
        m_message->showSentence(QString::fromStdString(written.error().message));
}

} // namespace stageloom
