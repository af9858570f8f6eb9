// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/train_page.h"

#include "core/base/units.h"
#include "ui/models/runs_model.h"
#include "ui/models/topology_matrix_model.h"
#include "ui/pages/panel.h"
#include "ui/plots/curve_plot.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>
#include <map>

namespace stageloom {

TrainPage::TrainPage(Workspace& workspace, QWidget* parent)
    : Page(parent)
    , m_workspace(workspace)
    , m_message(new MessageBar)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(20, 16, 16, 12);
    outer->setSpacing(Theme::kGap);
    outer->addWidget(m_message);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(16);
    columns->addWidget(buildMain(), 1);
    columns->addWidget(buildSide());
    outer->addLayout(columns, 1);
    buildActions();
    connectRun();
    resetViews();
    showStatus();
}

QString TrainPage::title() const
{
    const LiveRun& live = m_workspace.live;
    return live.id().valid() ? tr("Run %1 · %2").arg(live.id().value).arg(live.name())
                             : tr("Train");
}

QString TrainPage::subtitle() const
{
    const LiveRun& live = m_workspace.live;
    if (live.isLaunching())
        return tr("starting the engine…");
    if (!live.isActive())
        return m_workspace.document.isOpen() ? m_workspace.document.title() : tr("no plan is open");
    const RunStatus& status = live.status();
    return tr("%1 · step %2 of %3 · %4 left")
        .arg(QString::fromStdString(status.phase))
        .arg(status.step)
        .arg(status.steps)
        .arg(QString::fromStdString(formatSeconds(status.secondsLeft)));
}

QList<QWidget*> TrainPage::actions() const
{
    return { m_pause, m_stopAfter, m_stop, m_start };
}

QWidget* TrainPage::buildForm()
{
    auto* panel = new Panel(tr("What to train on"));
    auto* row = new QHBoxLayout;
    m_data = new QLineEdit;
    m_data->setPlaceholderText(tr("A text file or a folder of text files"));
    m_data->setToolTip(tr("The data to train on"));
    auto* browse = new QPushButton(tr("Choose…"));
    browse->setToolTip(tr("Choose a text file"));
    connect(browse, &QPushButton::clicked, this, &TrainPage::chooseData);
    m_steps = new QSpinBox;
    m_steps->setRange(1, 10'000'000);
    m_steps->setValue(200);
    m_steps->setToolTip(tr("Batches to train"));
    m_rate = new QDoubleSpinBox;
    m_rate->setDecimals(6);
    m_rate->setRange(0, 10);
    m_rate->setSingleStep(1e-4);
    m_rate->setValue(OptimizerSettings().learningRate);
    m_rate->setToolTip(tr("Peak learning rate"));
    m_seed = new QSpinBox;
    m_seed->setRange(0, 1'000'000'000);
    m_seed->setValue(1234);
    m_seed->setToolTip(tr("The same seed gives the same run"));
    row->addWidget(m_data, 1);
    row->addWidget(browse);
    const std::pair<QString, QWidget*> fields[]
        = { { tr("Steps"), m_steps }, { tr("Learning rate"), m_rate }, { tr("Seed"), m_seed } };
    for (const auto& [name, field] : fields) {
        row->addWidget(makeLabel(name, "caption"));
        row->addWidget(field);
        field->setAccessibleName(name);
    }
    panel->body()->addLayout(row);
    m_form = panel;
    return panel;
}

CurvePlot* TrainPage::addCurve(QLayout* row, const QString& title, QLabel*& value)
{
    auto* panel = new Panel(title);
    value = makeLabel(QStringLiteral("–"), "value");
    panel->addControl(value);
    auto* plot = new CurvePlot;
    plot->setMinimumHeight(130);
    panel->body()->addWidget(plot, 1);
    row->addWidget(panel);
    return plot;
}

QWidget* TrainPage::buildMain()
{
    auto* main = new QWidget;
    auto* layout = new QVBoxLayout(main);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    layout->addWidget(buildForm());
    auto* curves = new QHBoxLayout;
    curves->setSpacing(Theme::kGap);
    m_loss = addCurve(curves, tr("Loss"), m_lossValue);
    m_tokens = addCurve(curves, tr("Tokens per second"), m_tokensValue);
    m_norm = addCurve(curves, tr("Gradient norm"), m_normValue);
    layout->addLayout(curves, 2);
    auto* panel = new Panel(tr("Last batches"));
    panel->setCaption(tr("measured under predicted"));
    const std::pair<QString, TimelineMode> modes[]
        = { { tr("Predicted"), TimelineMode::Plan }, { tr("Measured"), TimelineMode::Run },
              { tr("Both"), TimelineMode::Both }, { tr("Difference"), TimelineMode::Difference } };
    m_timeline = new TimelineView;
    for (const auto& [name, mode] : modes) {
        auto* button = new QPushButton(name);
        button->setCheckable(true);
        button->setAutoExclusive(true);
        button->setChecked(mode == TimelineMode::Both);
        button->setToolTip(tr("Show: %1").arg(name));
        connect(button, &QPushButton::clicked, this,
            [this, mode = mode] { m_timeline->setMode(mode); });
        panel->addControl(button);
    }
    m_timeline->setMode(TimelineMode::Both);
    m_timeline->setFollow(true);
    panel->body()->addWidget(m_timeline, 1);
    layout->addWidget(panel, 4);
    return main;
}

QWidget* TrainPage::buildSide()
{
    auto* side = new QWidget;
    side->setFixedWidth(308);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    auto* facts = new Panel(tr("Run"));
    m_facts = new QLabel;
    m_facts->setTextFormat(Qt::RichText);
    facts->body()->addWidget(m_facts);
    layout->addWidget(facts);
    auto* waits = new Panel(tr("Who waits for whom"));
    m_waits = makeLabel(tr("Shown once batches are measured."), "caption");
    m_waits->setWordWrap(true);
    waits->body()->addWidget(m_waits);
    layout->addWidget(waits);
    auto* log = new Panel(tr("Log"));
    m_logView = new QListView;
    m_logView->setModel(&m_log);
    m_logView->setUniformItemSizes(true);
    m_logView->setAccessibleName(tr("Log"));
    log->body()->addWidget(m_logView, 1);
    layout->addWidget(log, 1);
    return side;
}

void TrainPage::buildActions()
{
    m_pause = new QPushButton(tr("Pause"));
    m_stopAfter = new QPushButton(tr("Stop after batch"));
    m_stop = new QPushButton(tr("Stop"));
    m_start = new QPushButton(tr("Start"));
    m_start->setObjectName(QStringLiteral("primary"));
    m_pause->setToolTip(tr("Pause after this batch, or go on"));
    m_stopAfter->setToolTip(tr("Finish this batch and the evaluation, then stop"));
    m_stop->setToolTip(tr("Stop at once"));
    m_start->setToolTip(tr("Start a run of the open plan"));
    LiveRun& live = m_workspace.live;
    connect(m_pause, &QPushButton::clicked, this,
        [&live] { live.isPaused() ? live.resume() : live.pause(); });
    connect(m_stopAfter, &QPushButton::clicked, &live, &LiveRun::stopAfterBatch);
    connect(m_stop, &QPushButton::clicked, &live, &LiveRun::stopNow);
    connect(m_start, &QPushButton::clicked, this, &TrainPage::start);
}

void TrainPage::connectRun()
{
    LiveRun& live = m_workspace.live;
    connect(&live, &LiveRun::started, this, [this] {
        resetViews();
        showPlanned();
        showStatus();
    });
    connect(&live, &LiveRun::metricsArrived, this, &TrainPage::showMetrics);
    connect(&live, &LiveRun::statusChanged, this, &TrainPage::showStatus);
    connect(&live, &LiveRun::spansArrived, this, [this](const std::vector<Span>& spans) {
        m_timeline->appendSpans(spans);
        showWaits(spans);
    });
    connect(&live, &LiveRun::logArrived, this, [this](const std::vector<LogLine>& lines) {
        m_log.append(lines);
        m_logView->scrollToBottom();
    });
    connect(&live, &LiveRun::ended, this, &TrainPage::showEnd);
    connect(&live, &LiveRun::failed, this, [this](const QString& sentence) {
        m_message->showSentence(sentence);
        showStatus();
    });
    connect(&m_workspace.predictor, &Predictor::predicted, this, [this] {
        if (!m_workspace.live.isActive())
            showPlanned();
    });
    connect(&m_workspace.document, &PlanDocument::documentChanged, this, &TrainPage::showStatus);
    connect(&m_workspace.runs, &RunsState::rowsChanged, this, &TrainPage::attachToRunning);
}

void TrainPage::attachToRunning()
{
    LiveRun& live = m_workspace.live;
    const RunRow* running = m_workspace.runs.running();
    if (running != nullptr && !live.isActive() && running->id != live.id())
        live.attach(running->folder, running->id, QString::fromStdString(running->name));
}

void TrainPage::start()
{
    m_message->hide();
    if (m_data->text().isEmpty()) {
        m_message->showSentence(tr("No data is chosen: name a text file or a folder to train on."));
        m_data->setFocus();
        return;
    }
    TrainRequest request;
    request.plan = m_workspace.document.plan();
    request.plan.optimizer.learningRate = m_rate->value();
    request.dataPath = m_data->text().toStdString();
    request.steps = m_steps->value();
    request.seed = static_cast<std::uint64_t>(m_seed->value());
    request.name = request.plan.name;
    m_workspace.live.launch(request, m_workspace.runs.store());
}

void TrainPage::chooseData()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Choose a text file"));
    if (!path.isEmpty())
        m_data->setText(path);
}

void TrainPage::resetViews()
{
    m_shown = 0;
    m_log.clear();
    const std::pair<CurvePlot*, QColor> plots[]
        = { { m_loss, theme().accent }, { m_tokens, theme().good }, { m_norm, theme().stage(3) } };
    for (const auto& [plot, colour] : plots) {
        Curve curve;
        curve.colour = colour;
        plot->setCurves({ curve });
        plot->setSmoothing(0.9);
    }
    m_timeline->setRun({});
}

void TrainPage::showPlanned()
{
    if (const Predictor::Shared now = m_workspace.predictor.prediction())
        m_timeline->setPlan(now->trace);
}

void TrainPage::showMetrics()
{
    const std::vector<MetricPoint>& points = m_workspace.live.points();
    for (; m_shown < points.size(); ++m_shown) {
        const MetricPoint& p = points[m_shown];
        const auto step = static_cast<double>(p.step);
        m_loss->append(0, step, p.tokens, p.time, p.loss);
        m_tokens->append(0, step, p.tokens, p.time, p.tokensPerSecond);
        m_norm->append(0, step, p.tokens, p.time, p.gradNorm);
    }
    const MetricPoint& last = points.back();
    m_lossValue->setText(QString::number(last.loss, 'f', 3));
    m_tokensValue->setText(QString::fromStdString(groupDigits(std::llround(last.tokensPerSecond))));
    m_normValue->setText(QString::number(last.gradNorm, 'f', 2));
}

void TrainPage::showStatus()
{
    const LiveRun& live = m_workspace.live;
    const bool active = live.isActive() && !live.isLaunching();
    m_pause->setText(live.isPaused() ? tr("Resume") : tr("Pause"));
    for (QPushButton* button : { m_pause, m_stopAfter, m_stop })
        button->setEnabled(active);
    m_start->setEnabled(!live.isActive() && m_workspace.document.isOpen());
    m_form->setEnabled(!live.isActive());
    const Plan& plan = m_workspace.document.plan();
    const std::pair<QString, QString> facts[] = {
        { tr("Schedule"), QString::fromStdString(plan.schedule) },
        { tr("Stages"), QString::number(plan.depth()) },
        { tr("Microbatches"), tr("%1 × %2").arg(plan.microbatches).arg(plan.microbatchSize) },
        { tr("Batch"), tr("%1 samples").arg(plan.batchSize()) },
        { tr("State"),
            live.isActive() ? QString::fromStdString(live.status().phase) : tr("not running") },
    };
    QString text = QStringLiteral("<table width='100%' cellpadding='4'>");
    for (const auto& [name, value] : facts)
        text += QStringLiteral("<tr><td>%1</td><td align='right'><b>%2</b></td></tr>")
                    .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
    m_facts->setText(text + QStringLiteral("</table>"));
    emit headerChanged();
}

void TrainPage::showWaits(const std::vector<Span>& spans)
{
    // Of the batches that just arrived: how long each worker computed and how long it waited.
    std::map<int, double> busy;
    double begin = spans.front().start, end = spans.front().end;
    for (const Span& span : spans) {
        if (isCompute(span.kind))
            busy[span.device] += span.end - span.start;
        begin = std::min(begin, span.start);
        end = std::max(end, span.end);
    }
    QStringList lines;
    for (const auto& [device, seconds] : busy)
        lines << tr("Worker %1 waited %2 of %3")
                     .arg(device)
                     .arg(QString::fromStdString(
                              formatSeconds(std::max(0.0, end - begin - seconds))),
                         QString::fromStdString(formatSeconds(end - begin)));
    m_waits->setText(lines.join(u'\n'));
}

void TrainPage::showEnd(RunState state, const QString& lastWords)
{
    if (state == RunState::Failed || state == RunState::Lost)
        m_message->showSentence(tr("The run %1: %2").arg(stateWord(state), lastWords));
    m_workspace.runs.refresh();
    showStatus();
}

} // namespace stageloom
