// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/train_page.h"

#include "core/base/units.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/train/last_batches_panel.h"
#include "ui/train/live_curves.h"
#include "ui/train/run_panels.h"
#include "ui/train/train_form.h"
#include "ui/widgets/dock_area.h"
#include "ui/widgets/log_view.h"
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace stageloom {

namespace {

bool runsOnGpus(const Plan& plan)
{
    return std::any_of(plan.topology.devices.begin(), plan.topology.devices.end(),
        [](const Device& device) { return device.kind == DeviceKind::Gpu; });
}

} // namespace

TrainPage::TrainPage(Workspace& workspace, QWidget* parent)
    : Page(parent)
    , m_workspace(workspace)
    , m_message(new MessageBar)
    , m_stack(new QStackedLayout)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(20, 16, 16, 12);
    outer->setSpacing(Theme::kGap);
    outer->addWidget(m_message);
    outer->addLayout(m_stack, 1);
    m_stack->addWidget(new EmptyNotice(tr("Nothing to train yet"),
        tr("Open or make a plan first: on the Plan page (Ctrl+3), or drop a *.plan.json here.")));
    auto* content = new QWidget;
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(16);
    columns->addWidget(buildMain(), 1);
    columns->addWidget(buildSide());
    m_stack->addWidget(content);
    buildActions();
    connectRun();
    connectPlan();
    showPlanned();
    showStatus();
}

// Both are of the run whose curves stand below; the form says what Start would train.
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
    if (!live.id().valid())
        return plannedWords();
    QStringList words;
    if (const std::optional<TrainRequest>& request = live.request())
        words << tr("%1 on %2")
                     .arg(shortModelName(request->plan.modelSource),
                         QString::fromStdString(request->plan.topology.title.empty()
                                 ? request->plan.topology.name
                                 : request->plan.topology.title));
    const RunStatus& status = live.status();
    if (live.isActive() && live.silence() > 0)
        return tr("no word from the engine for %1: it is stopped, or the machine swaps")
            .arg(secondsText(live.silence()));
    words << (!live.isActive()  ? live.endWords()
            : status.steps == 0 ? tr("starting…")
                                : phaseText(status.phase));
    if (status.steps > 0)
        words << tr("step %1 of %2")
                     .arg(QString::fromStdString(groupDigits(status.step)),
                         QString::fromStdString(groupDigits(status.steps)));
    if (live.isActive() && status.steps > 0)
        words << tr("%1 left").arg(secondsText(status.secondsLeft));
    return words.join(QStringLiteral(" · "));
}

// What Start does, and how long it takes as far as the prediction knows.
QString TrainPage::plannedWords() const
{
    const PlanDocument& document = m_workspace.document;
    if (!document.isOpen())
        return tr("no plan is open");
    const Predictor::Shared prediction = m_workspace.predictor.prediction();
    if (!prediction)
        return tr("Start trains %1").arg(document.title());
    return tr("Start trains %1 · %2")
        .arg(document.title(),
            QString::fromStdString(aboutSeconds(prediction->stepTime * m_form->steps())));
}

QList<QWidget*> TrainPage::actions() const
{
    return { m_pause, m_stopAfter, m_stop, m_start };
}

// Plans, models and machines are JSON, or a folder with a config.json; anything else is text.
bool TrainPage::takeDropped(const QString& path)
{
    const QFileInfo info(path);
    const bool openable = info.isDir() ? QFileInfo::exists(path + QStringLiteral("/config.json"))
                                       : info.suffix() == QStringLiteral("json");
    if (openable || !info.exists())
        return false;
    m_form->setData(path);
    return true;
}

QWidget* TrainPage::buildMain()
{
    auto* main = new QWidget;
    auto* layout = new QVBoxLayout(main);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    m_form = new TrainForm;
    m_curves = new LiveCurves;
    m_batches = new LastBatchesPanel;
    layout->addWidget(m_form);
    m_docks = new DockArea(QStringLiteral("train"));
    m_docks->addFixed(m_curves, QStringLiteral("curves"));
    m_docks->add(m_batches, QStringLiteral("batches"));
    m_docks->share({ 200, 460 });
    m_docks->restore();
    layout->addWidget(m_docks, 1);
    return main;
}

QWidget* TrainPage::buildSide()
{
    constexpr int kSideWidth = 308;
    auto* side = new QWidget;
    side->setFixedWidth(kSideWidth);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    m_facts = new RunFactsPanel;
    m_waits = new WaitsPanel;
    auto* log = new Panel(tr("Log"));
    auto* view = new LogView(m_log);
    view->setToolTip(tr("What the engine said, by the time since its start"));
    log->addControl(view->makeFilter());
    log->body()->addWidget(view, 1);
    layout->addWidget(m_facts);
    layout->addWidget(m_waits);
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
    m_start->setToolTip(tr("Start a run of the open plan (Ctrl+Return)"));
    m_start->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return));
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
    connect(&live, &LiveRun::started, this, &TrainPage::beginRun);
    connect(&live, &LiveRun::metricsArrived, this, &TrainPage::showMetrics);
    connect(&live, &LiveRun::historyRead, this, [this](const std::vector<LogLine>& log) {
        m_curves->clear();
        showMetrics();
        m_log.prepend(log);
    });
    connect(&live, &LiveRun::statusChanged, this, &TrainPage::showStatus);
    // A person reads a few batches a second, however many the engine does.
    m_showSpans.setSingleShot(true);
    m_showSpans.setInterval(250);
    connect(&live, &LiveRun::spansArrived, this, [this](const std::vector<Span>& spans) {
        m_spans.insert(m_spans.end(), spans.begin(), spans.end());
        if (!m_showSpans.isActive())
            m_showSpans.start();
    });
    connect(&m_showSpans, &QTimer::timeout, this, [this] {
        m_batches->append(std::exchange(m_spans, {}));
        m_waits->show(m_batches->batches(), m_batches->deviceNames());
    });
    connect(&live, &LiveRun::logArrived, &m_log, &LogModel::append);
    connect(&live, &LiveRun::ended, this, &TrainPage::showEnd);
    connect(&live, &LiveRun::failed, this, [this](const QString& sentence) {
        m_message->showSentence(sentence);
        showStatus();
    });
    connect(&m_workspace.runs, &RunsState::rowsChanged, this, &TrainPage::attachToRunning);
    connect(&m_workspace, &Workspace::runPrepared, this, [this](const TrainRequest& request) {
        m_form->show(request);
        m_message->offer(tr("Plan, data, seed and steps are set as in %1; Start trains it again.")
                             .arg(QString::fromStdString(request.name)),
            tr("Start"), [this] { start(); });
    });
    connect(m_form, &TrainForm::stepsChanged, this, &TrainPage::showStatus);
    connect(m_form, &TrainForm::cpuAsked, &m_workspace.search, &PlanSearch::planForCpu);
    connect(&m_workspace.engine, &EngineState::answered, this, &TrainPage::showStatus);
    // Start takes the place of Stop: a click meant for one must not be the other.
    m_startGuard.setSingleShot(true);
    m_startGuard.setInterval(1000);
    connect(&m_startGuard, &QTimer::timeout, this, &TrainPage::showStatus);
}

void TrainPage::connectPlan()
{
    connect(&m_workspace.predictor, &Predictor::predicted, this, &TrainPage::showPlanned);
    connect(&m_workspace.livePredictor, &Predictor::predicted, this, &TrainPage::showPlanned);
    connect(&m_workspace.document, &PlanDocument::documentChanged, this, &TrainPage::showStatus);
    connect(&m_workspace.document, &PlanDocument::planChanged, this, &TrainPage::showStatus);
    connect(&themeNotifier(), &ThemeNotifier::changed, this, [this] {
        m_curves->clear();
        showMetrics();
        showStatus();
        m_waits->show(m_batches->batches(), m_batches->deviceNames());
    });
}

void TrainPage::attachToRunning()
{
    LiveRun& live = m_workspace.live;
    const RunRow* running = m_workspace.runs.running();
    if (running != nullptr && !live.isActive() && running->id != live.id()
        && running->id != live.unreachable())
        live.attach(running->folder, running->id, QString::fromStdString(running->name),
            m_workspace.runs.store());
}

QString TrainPage::obstacle() const
{
    const PlanDocument& document = m_workspace.document;
    if (!document.isOpen())
        return {};
    const Plan& plan = document.plan();
    if (runsOnGpus(plan))
        return tr("This plan is for %1, and the engine of this build trains on CPU workers; the "
                  "plan stays as it is.")
            .arg(QString::fromStdString(plan.topology.title));
    // An engine that is not there says so when it is started.
    const Predictor::Shared prediction = m_workspace.predictor.prediction();
    return prediction ? EngineState::refusalOf(m_workspace.engine.notes(plan, prediction->model))
                      : QString();
}

void TrainPage::start()
{
    m_message->hide();
    const Plan& plan = m_workspace.document.plan();
    if (const QString problem = obstacle(); !problem.isEmpty()) {
        m_message->offer(problem, tr("Plan it for this machine's CPU"),
            [this] { m_workspace.search.planForCpu(); });
        return;
    }
    if (m_form->data().isEmpty()) {
        m_message->showSentence(tr("No data is chosen: name a text file or a folder to train on."));
        m_form->focusData();
        return;
    }
    m_form->keep();
    m_workspace.live.launch(m_form->request(plan), m_workspace.runs.store());
}

void TrainPage::beginRun()
{
    if (const std::optional<TrainRequest>& request = m_workspace.live.request())
        m_form->setSteps(request->steps);
    m_log.clear();
    m_spans.clear();
    m_curves->clear();
    m_batches->clear();
    m_message->hide();
    showStatus();
}

void TrainPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    if (std::exchange(m_plannedDue, false))
        showPlanned();
    showStatus();
}

void TrainPage::showPlanned()
{
    const LiveRun& live = m_workspace.live;
    const bool ofRun = live.id().valid() && live.request();
    // Each frame of a drag on the Plan page predicts anew.
    m_plannedDue = !ofRun && !isVisible();
    if (m_plannedDue)
        return;
    if (ofRun)
        m_batches->setPlanned(live.request()->plan, m_workspace.livePredictor.prediction());
    else if (m_workspace.document.isOpen())
        m_batches->setPlanned(m_workspace.document.plan(), m_workspace.predictor.prediction());
}

void TrainPage::showMetrics()
{
    const std::vector<MetricPoint>& points = m_workspace.live.points();
    m_curves->show(points);
    if (!points.empty())
        m_batches->setMemory(points.back().rssBytes);
}

void TrainPage::showStatus()
{
    const LiveRun& live = m_workspace.live;
    const PlanDocument& document = m_workspace.document;
    const bool active = live.isActive() && !live.isLaunching();
    m_pause->setText(live.isPaused() ? tr("Resume") : tr("Pause"));
    for (QPushButton* button : { m_pause, m_stopAfter, m_stop })
        button->setEnabled(active);
    m_start->setEnabled(!live.isActive() && document.isOpen() && !m_startGuard.isActive());
    if (isVisible()) // else the header shows another page's buttons
        m_start->setVisible(!active);
    m_form->setVisible(!live.isActive());
    m_stack->setCurrentIndex(document.isOpen() || live.id().valid() ? 1 : 0);
    if (document.isOpen())
        m_form->show(document.plan());
    m_workspace.engine.ask();
    const QString problem = obstacle();
    m_form->sayNext(problem.isEmpty() ? plannedWords() : document.title(), problem);
    m_start->setEnabled(m_start->isEnabled() && problem.isEmpty());
    m_start->setToolTip(
        problem.isEmpty() ? tr("Start a run of the open plan (Ctrl+Return)") : problem);
    m_facts->show(live, document.plan());
    emit headerChanged();
}

void TrainPage::showEnd(RunState state, const QString& lastWords)
{
    const LiveRun& live = m_workspace.live;
    m_startGuard.start();
    if (state == RunState::Failed || state == RunState::Lost)
        m_message->showSentence(tr("Run %1 %2; nothing else is lost. %3")
                                    .arg(live.id().value)
                                    .arg(stateWord(state), lastWords));
    else if (!lastWords.isEmpty()) // something of it could not be kept
        m_message->showSentence(
            tr("Run %1 %2. %3").arg(live.id().value).arg(stateWord(state), lastWords));
    else
        m_message->showDone(tr("Run %1 %2 after %n batch(es), loss %3. It is on the Runs page.",
            nullptr, static_cast<int>(live.status().step))
                                .arg(live.id().value)
                                .arg(stateWord(state))
                                .arg(live.status().loss, 0, 'f', 3));
    m_workspace.runs.refresh();
    showStatus();
}

} // namespace stageloom
