// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "ui/model/model_page.h"
#include "ui/plan/plan_page.h"
#include "ui/runs/runs_page.h"
#include "ui/shell/question.h"
#include "ui/shell/rail.h"
#include "ui/shell/recent_menu.h"
#include "ui/shell/shortcut_groups.h"
#include "ui/shell/window_header.h"
#include "ui/state/recent_files.h"
#include "ui/theme/theme.h"
#include "ui/topology/topology_page.h"
#include "ui/train/train_page.h"
#include "ui/widgets/ask_for_file.h"
#include "ui/widgets/dock_area.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/panel.h"
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QUndoGroup>

namespace stageloom {

namespace {

constexpr auto kGeometryKey = "window/geometry";
constexpr int kMostOfAName = 80; // characters of a name in a question

} // namespace

MainWindow::MainWindow(Workspace& workspace, QWidget* parent)
    : QMainWindow(parent)
    , m_workspace(workspace)
    , m_rail(new Rail)
    , m_pages(new QStackedWidget)
    , m_message(new MessageBar)
    , m_header(new WindowHeader)
    , m_statusRight(new QLabel)
    , m_statusLeft(new ElidedLabel("status"))
{
    // With its frame it must fit on the screen; a small screen still shows every page.
    const QSize room = screen()->availableSize() - QSize(16, 64);
    resize(QSize(1440, 900).boundedTo(room.expandedTo(QSize(1280, 720))));
    setAcceptDrops(true);
    setAnimated(false); // nothing docks here, and each layout would start an animation
    auto* central = new QWidget;
    auto* columns = new QHBoxLayout(central);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(m_rail);
    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(m_header);
    right->addWidget(new ProgressLine(workspace));
    right->addWidget(m_message);
    right->addWidget(m_pages, 1);
    columns->addLayout(right, 1);
    setCentralWidget(central);
    buildPages();
    buildMenus();
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_statusLeft, 1);
    statusBar()->addPermanentWidget(new StopButton(workspace));
    statusBar()->addPermanentWidget(m_statusRight);
    workspace.search.mayReplace = [this] { return mayCloseDocument(); };
    connect(&workspace.search, &PlanSearch::offered, m_message, [this](const QString& name) {
        m_message->offer(tr("A plan was found, %1; the plan that is open was changed or opened "
                            "meanwhile and stays.")
                             .arg(name.left(kMostOfAName)),
            tr("Open what was found"), [this] { m_workspace.search.takeOffered(); });
    });
    connect(m_rail, &Rail::pageChosen, this, &MainWindow::showPage);
    connect(&workspace, &Workspace::failed, m_message, &MessageBar::showSentence);
    connect(&workspace, &Workspace::planOpened, this, [this] {
        if (!m_workspace.document.isRecovered() && m_message->wasReadable())
            m_message->hide();
        showPage(kPlan);
    });
    connect(&workspace.document, &PlanDocument::noticed, m_message, &MessageBar::showSentence);
    connect(&workspace, &Workspace::runAgainAsked, this, [this](const TrainRequest& request) {
        if (!mayCloseDocument())
            return;
        m_workspace.runAgain(request);
        showPage(kTrain);
    });
    connect(&workspace, &Workspace::modelAsked, this, [this] { showPage(kModel); });
    connect(&workspace, &Workspace::topologyAsked, this, [this] { showPage(kTopology); });
    connect(&workspace.predictor, &Predictor::predicted, this, &MainWindow::showStatus);
    connect(&workspace.runs, &RunsState::rowsChanged, this, &MainWindow::showStatus);
    connect(&workspace.live, &LiveRun::statusChanged, this, &MainWindow::showStatus);
    connect(&workspace, &Workspace::busyChanged, this, &MainWindow::showStatus);
    connect(&workspace, &Workspace::trainAsked, this, [this] { showPage(kTrain); });
    const auto closeIfAsked = [this] {
        if (std::exchange(m_closing, false))
            close();
    };
    connect(&workspace.live, &LiveRun::ended, this, closeIfAsked, Qt::QueuedConnection);
    connect(&workspace.live, &LiveRun::failed, this, closeIfAsked, Qt::QueuedConnection);
    showPage(kPlan);
    restoreGeometry(QSettings().value(QLatin1String(kGeometryKey)).toByteArray());
}

void MainWindow::buildPages()
{
    addPage(new ModelPage(m_workspace), QStringLiteral("model"), tr("&Model"));
    addPage(new TopologyPage(m_workspace), QStringLiteral("topology"), tr("&Topology"));
    m_planPage = new PlanPage(m_workspace);
    addPage(m_planPage, QStringLiteral("plan"), tr("&Plan"));
    addPage(new TrainPage(m_workspace), QStringLiteral("train"), tr("T&rain"));
    addPage(new RunsPage(m_workspace), QStringLiteral("runs"), tr("R&uns"));
    connect(m_planPage, &PlanPage::trainAsked, this, [this] { showPage(kTrain); });
}

void MainWindow::addPage(Page* page, const QString& icon, const QString& word)
{
    const int number = m_pages->addWidget(page) + 1;
    m_words << word;
    m_rail->addPage(icon, QString(word).remove(u'&'), tr("Ctrl+%1").arg(number));
    connect(page, &Page::headerChanged, this, [this, page] {
        if (m_pages->currentWidget() == page)
            showHeader();
    });
}

int MainWindow::pageCount() const
{
    return m_pages->count();
}

void MainWindow::showPage(int index)
{
    if (index != m_pages->currentIndex() && m_message->wasReadable())
        m_message->hide(); // it spoke of the page before
    m_rail->setCurrent(index);
    m_workspace.runs.setFollowing(index == kRuns || index == kTrain);
    m_header->showActions(*static_cast<Page*>(m_pages->widget(index)), m_rail->last());
    m_pages->setCurrentIndex(index); // the page may hide an action again
    showHeader();
}

void MainWindow::showHeader()
{
    const auto* page = static_cast<Page*>(m_pages->currentWidget());
    m_header->showWords(*page);
    setWindowTitle(tr("%1 – Stageloom").arg(page->title().left(kMostOfAName)));
}

void MainWindow::showStatus()
{
    const Predictor& predictor = m_workspace.predictor;
    const LiveRun& live = m_workspace.live;
    if (const QString work = m_workspace.busyWith(); !work.isEmpty())
        m_statusLeft->setWords(work);
    else if (live.isActive() && live.status().pid > 0)
        m_statusLeft->setWords(
            tr("Engine process %1 · the run goes on if this window closes").arg(live.status().pid));
    else if (const Predictor::Shared now = predictor.prediction())
        m_statusLeft->setWords(now->measuredTimes ? tr("Predicted from measured layer times")
                                                  : tr("Predicted from estimated layer times"));
    else
        m_statusLeft->setWords({});
    const Topology& topology = m_workspace.document.plan().topology;
    const auto runs = static_cast<int>(m_workspace.runs.entries()->size());
    const QString machine
        = QString::fromStdString(topology.title.empty() ? topology.name : topology.title);
    m_statusRight->setText(
        runs == 0 ? machine : tr("%1 · %n run(s) kept", nullptr, runs).arg(machine));
}

void MainWindow::buildMenus()
{
    buildFileMenu();
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    // What is undone is what the page edits: the plan, or a machine that is only looked at.
    auto* undo = new QUndoGroup(this);
    undo->addStack(&m_workspace.document.undoStack());
    undo->addStack(&m_workspace.topology.undoStack());
    undo->addStack(&m_workspace.runs.undoStack());
    const auto choose = [this, undo] {
        const bool looks = m_pages->currentIndex() == kTopology && !m_workspace.topology.isPlans();
        const bool ofRuns = m_pages->currentIndex() == kRuns;
        undo->setActiveStack(ofRuns ? &m_workspace.runs.undoStack()
                : looks             ? &m_workspace.topology.undoStack()
                                    : &m_workspace.document.undoStack());
    };
    connect(m_pages, &QStackedWidget::currentChanged, this, choose);
    connect(&m_workspace.topology, &TopologyState::changed, this, choose);
    choose();
    QAction* back = undo->createUndoAction(this);
    back->setShortcut(QKeySequence::Undo);
    QAction* forth = undo->createRedoAction(this);
    forth->setShortcut(QKeySequence::Redo);
    back->setProperty("plain words", tr("undo the last edit"));
    forth->setProperty("plain words", tr("redo what was undone"));
    edit->addActions({ back, forth });
    edit->addSeparator();
    edit->addAction(
        tr("&Plan for me…"), QKeySequence(tr("Ctrl+P")), m_planPage, &PlanPage::askPlanner);
    edit->addActions(m_planPage->comparing());
    QMenu* view = menuBar()->addMenu(tr("&View"));
    for (int i = 0; i < pageCount(); ++i)
        view->addAction(m_words[i], QKeySequence(QStringLiteral("Ctrl+%1").arg(i + 1)), this,
            [this, i] { showPage(i); });
    view->addSeparator();
    buildPanelsMenu(*view);
    view->addAction(tr("&Full screen"), QKeySequence(Qt::Key_F11), this,
        [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    QMenu* themes = view->addMenu(tr("T&heme"));
    auto* group = new QActionGroup(this);
    const std::pair<QString, ThemeMode> modes[] = { { tr("&System"), ThemeMode::System },
        { tr("&Light"), ThemeMode::Light }, { tr("&Dark"), ThemeMode::Dark } };
    for (const auto& [name, mode] : modes) {
        QAction* action = themes->addAction(name, this, [mode = mode] {
            applyTheme(*qApp, mode);
            QSettings().setValue(QStringLiteral("theme"), static_cast<int>(mode));
        });
        action->setCheckable(true);
        action->setChecked(mode == themeMode());
        group->addAction(action);
    }
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    QAction* keys = help->addAction(tr("&Shortcuts"), this, &MainWindow::showShortcuts);
    keys->setShortcuts({ QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question) });
    help->addAction(tr("&About Stageloom"), this, &MainWindow::showAbout);
}

// The panels of the page shown: those that a person closed come back here.
void MainWindow::buildPanelsMenu(QMenu& view)
{
    QMenu* panels = view.addMenu(tr("P&anels"));
    connect(panels, &QMenu::aboutToShow, this, [this, panels] {
        panels->clear();
        DockArea* docks = static_cast<Page*>(m_pages->currentWidget())->docks();
        if (docks == nullptr) {
            panels->addAction(tr("This page's panels stay in their places"))->setEnabled(false);
            return;
        }
        panels->addActions(docks->toggles());
        panels->addSeparator();
        panels->addAction(tr("As they were at first"), docks, &DockArea::reset);
    });
}

void MainWindow::buildFileMenu()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&Open…"), QKeySequence::Open, this, &MainWindow::openDialog);
    file->addMenu(new RecentMenu(tr("Open &recent"), m_workspace, file));
    QMenu* samples = file->addMenu(tr("Open a sa&mple"));
    for (const SamplePlan& sample : PlanSearch::samples())
        samples->addAction(
            sample.title, this, [this, sample] { m_workspace.search.openSample(sample); });
    file->addSeparator();
    file->addAction(tr("&Save"), QKeySequence::Save, this, &MainWindow::save);
    file->addAction(tr("Save &as…"), QKeySequence(tr("Ctrl+Shift+S")), this, &MainWindow::saveAs);
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::openDialog()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a plan, model or machine"), {},
        tr("Plans, models and machines (*.json);;All files (*)"));
    if (!path.isEmpty())
        m_workspace.openFile(path);
}

bool MainWindow::save()
{
    if (m_workspace.document.file().isEmpty())
        return saveAs();
    if (m_workspace.document.isFileChangedOutside()) {
        const int answer = ask(this, tr("The file has changed"),
            tr("Another program changed %1 since it was opened here.")
                .arg(QFileInfo(m_workspace.document.file()).fileName()),
            { tr("Save in another file…"), tr("Write over it") });
        if (answer != 1)
            return answer == 0 && saveAs();
    }
    const Status saved = m_workspace.document.save();
    if (!saved)
        m_message->showSentence(QString::fromStdString(saved.error().message));
    return saved.has_value();
}

bool MainWindow::saveAs()
{
    const QString path = askForFile(this, tr("Save the plan"), m_workspace.document.suggestedFile(),
        tr("Plans"), QStringLiteral(".plan.json"));
    if (path.isEmpty())
        return false;
    const Status saved = m_workspace.document.saveAs(path);
    if (!saved)
        m_message->showSentence(QString::fromStdString(saved.error().message));
    else
        recent::remember(path);
    return saved.has_value();
}

bool MainWindow::mayCloseDocument()
{
    if (!m_workspace.document.isDirty() || m_discarded == m_workspace.document.revision())
        return true;
    const int answer = ask(this, tr("Unsaved edits"),
        tr("Save the edits of %1?").arg(m_workspace.document.title().left(kMostOfAName)),
        { tr("Save"), tr("Discard the edits") });
    // Discarded edits stay autosaved until another plan really takes their place.
    return answer == 0 ? save() : answer == 1;
}

bool MainWindow::event(QEvent* event)
{
    if (event->type() == QEvent::ThemeChange) // the desktop turned dark or light
        followSystemTheme(*qApp);
    return QMainWindow::event(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    if (paths.isEmpty())
        m_message->showSentence(
            tr("What was dropped lies on another computer; save it here, and drop the file."));
    auto* page = static_cast<Page*>(m_pages->currentWidget());
    if (paths.size() == 1 && page->takeDropped(paths.front()))
        return;
    m_workspace.openFiles(paths);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayCloseDocument()) {
        event->ignore();
        return;
    }
    const bool discards = m_workspace.document.isDirty(); // was asked, and is not to be saved
    if (m_workspace.live.isActive()) {
        const int answer = ask(this, tr("A run goes on"),
            tr("%1 trains on without the window; opening it again shows it.")
                .arg(m_workspace.live.name().left(kMostOfAName)),
            { tr("Keep it running"), tr("Stop after this batch") });
        if (answer == 1)
            m_workspace.live.stopAfterBatch();
        // An engine that is only starting can be asked once it answers: the window waits for it.
        m_closing = answer == 1 && m_workspace.live.isLaunching();
        if (m_closing && discards)
            m_discarded = m_workspace.document.revision();
        if (answer < 0 || m_closing) {
            event->ignore();
            return;
        }
    }
    if (discards)
        m_workspace.document.dropAutosave(); // nothing can hold the window any more
    QSettings().setValue(QLatin1String(kGeometryKey), saveGeometry());
    event->accept();
}

void MainWindow::showShortcuts()
{
    ShortcutsDialog(allShortcuts(*menuBar()), this).exec();
}

void MainWindow::showAbout()
{
    QMessageBox::about(this, tr("About Stageloom"),
        tr("<b>Stageloom %1</b><p>Plan, run and understand pipeline-parallel training on one "
           "machine.</p><p>Window and commands: GPL-3.0-or-later. Core and engine: "
           "Apache-2.0.</p>")
            .arg(QApplication::applicationVersion()));
}

} // namespace stageloom
