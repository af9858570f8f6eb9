// SPDX-License-Identifier: GPL-3.0-or-later
// What the window itself does: files dropped on it, recent files, questions before something is
// lost, messages that go with their page.
#include "shell_fixture.h"

#include "ui/shell/recent_menu.h"
#include "ui/state/recent_files.h"
#include "ui/train/train_form.h"
#include "ui/widgets/panel.h"
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTimer>
#include <QUrl>

namespace stageloom {

namespace {

class WindowTest : public ShellTest {
protected:
    WindowTest() { recent::forget(); }
    ~WindowTest() override { recent::forget(); }
    void drop(const QStringList& paths)
    {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& path : paths)
            urls << QUrl::fromLocalFile(path);
        data.setUrls(urls);
        const QPoint middle = window->rect().center();
        QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&*window, &enter);
        EXPECT_TRUE(enter.isAccepted());
        QDropEvent fall(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&*window, &fall);
    }
    QStringList recent()
    {
        auto* menu = window->findChild<RecentMenu*>();
        emit menu->aboutToShow();
        QStringList names;
        for (const QAction* action : menu->actions())
            if (action->isEnabled() && !action->toolTip().isEmpty()
                && action->toolTip().startsWith(u'/'))
                names << action->toolTip();
        return names;
    }
    // Presses the button of the question that is about to be asked; its words afterwards.
    void answer(const QString& word)
    {
        auto* look = new QTimer(&*window);
        QObject::connect(look, &QTimer::timeout, look, [this, look, word] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (box == nullptr)
                return;
            question = box->text();
            for (QAbstractButton* each : box->buttons())
                if (each->text().remove(u'&') == word) {
                    look->stop();
                    if (beforeAnswer)
                        beforeAnswer();
                    if (!answers.isEmpty())
                        answer(answers.takeFirst()); // of the question that follows
                    each->click();
                    return;
                }
        });
        look->start(20);
    }
    void press(Qt::Key key) // with Ctrl, once a question before has gone
    {
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&*window));
        QTest::keyClick(&*window, key, Qt::ControlModifier);
    }
    void edit()
    {
        Plan next = workspace->document.plan();
        next.microbatches *= 2;
        workspace->document.edit(QStringLiteral("change microbatches"), next);
    }
    QString question;
    QStringList answers; // of the questions after the first
    std::function<void()> beforeAnswer;
};

} // namespace

TEST_F(WindowTest, aDroppedPlanIsOpenedAndRemembered)
{
    open();
    const QString file
        = files.write(QStringLiteral("dropped.plan.json"), text(toJson(workersPlan())));
    drop({ file });
    ASSERT_TRUE(waitFor([this] { return workspace->document.isOpen(); }));
    EXPECT_EQ(workspace->document.file(), file);
    EXPECT_EQ(recent(), QStringList { file });
}

TEST_F(WindowTest, aTextDroppedOnTrainIsTheDataAndAPlanIsStillOpened)
{
    open();
    openPlan(workersPlan());
    window->showPage(MainWindow::kTrain);
    const QString words = files.write(QStringLiteral("notes.txt"), "some words");
    auto* form = window->findChild<TrainForm*>();
    for (const auto* field : form->findChildren<QLineEdit*>())
        if (field->accessibleName() == QStringLiteral("Data")) {
            EXPECT_FALSE(field->acceptDrops()); // it would put the address between its words
        }
    drop({ words });
    EXPECT_EQ(form->data(), words);
    EXPECT_TRUE(window->findChild<MessageBar*>(QStringLiteral("message"))->sentence().isEmpty());
    const QString file = files.write(QStringLiteral("b.plan.json"), text(toJson(manyStagesPlan())));
    drop({ file });
    ASSERT_TRUE(waitFor([&] { return workspace->document.file() == file; }));
    EXPECT_EQ(form->data(), words);
}

TEST_F(WindowTest, modelsAndMachinesAreRecentFilesToo)
{
    open();
    EXPECT_TRUE(recent().isEmpty()); // and the menu says so, and can be opened again
    const QString model = files.write(QStringLiteral("config.json"), kSmallConfig);
    const QString machine
        = files.write(QStringLiteral("machine.json"), text(toJson(*readTopology("cpu:2"))));
    drop({ model, machine });
    ASSERT_TRUE(waitFor([this] {
        return workspace->model.model().has_value() && workspace->topology.topology().has_value();
    }));
    QStringList both = recent();
    both.sort();
    EXPECT_EQ(both, (QStringList { model, machine }));
    QFile::remove(machine);
    EXPECT_EQ(recent(), QStringList { model }); // what is gone is not offered
}

TEST_F(WindowTest, whatIsEditedIsNotReplacedUnasked)
{
    open();
    openPlan(workersPlan());
    edit();
    const QString file
        = files.write(QStringLiteral("other.plan.json"), text(toJson(manyStagesPlan())));
    answer(QStringLiteral("Cancel"));
    drop({ file });
    ASSERT_TRUE(waitFor([this] { return !question.isEmpty(); }));
    EXPECT_TRUE(question.contains(QStringLiteral("Save the edits of small")));
    EXPECT_EQ(workspace->document.plan().depth(), 2);
    answer(QStringLiteral("Discard the edits"));
    drop({ file });
    ASSERT_TRUE(waitFor([this] { return workspace->document.plan().depth() == 6; }));
}

TEST_F(WindowTest, aFileThatAnotherProgramChangedIsNotWrittenOverUnasked)
{
    open();
    const QString file = files.write(QStringLiteral("a.plan.json"), text(toJson(workersPlan())));
    workspace->openFile(file);
    ASSERT_TRUE(waitFor([this] { return workspace->document.isOpen(); }));
    edit();
    Plan other = workersPlan();
    other.microbatches = 64;
    files.write(QStringLiteral("a.plan.json"), text(toJson(other)));
    answer(QStringLiteral("Cancel"));
    press(Qt::Key_S);
    EXPECT_TRUE(question.contains(QStringLiteral("changed a.plan.json")));
    EXPECT_EQ(readPlan(file.toStdString())->microbatches, 64);
    answer(QStringLiteral("Write over it"));
    press(Qt::Key_S);
    EXPECT_EQ(readPlan(file.toStdString())->microbatches, workersPlan().microbatches * 2);
}

TEST_F(WindowTest, whatIsAskedAboutIsTheFileThatIsWrittenOver)
{
    open();
    openPlan(workersPlan());
    const QString there = files.write(QStringLiteral("a.plan.json"), "something else");
    const QString typed = files.path(QStringLiteral("a")); // without its ending
    auto* type = new QTimer(&*window);
    QObject::connect(type, &QTimer::timeout, type, [&, type] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr)
            return;
        if (!question.isEmpty()) { // asked, and declined
            type->stop();
            dialog->reject();
            return;
        }
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        name->setText(typed);
        QTest::keyClick(name, Qt::Key_Return);
    });
    answer(QStringLiteral("Cancel"));
    type->start(50);
    press(Qt::Key_S);
    EXPECT_TRUE(question.contains(QStringLiteral("a.plan.json exists already")));
    QFile kept(there);
    ASSERT_TRUE(kept.open(QIODevice::ReadOnly));
    EXPECT_EQ(kept.readAll(), "something else");
    question.clear();
    answer(QStringLiteral("Write over it"));
    type->start(50);
    press(Qt::Key_S);
    EXPECT_EQ(workspace->document.file(), there);
    EXPECT_TRUE(readPlan(there.toStdString()));
    EXPECT_FALSE(QFile::exists(typed));
}

TEST_F(WindowTest, discardedEditsStayKeptUntilTheWindowReallyCloses)
{
    open();
    const QString file = files.write(QStringLiteral("a.plan.json"), text(toJson(workersPlan())));
    workspace->openFile(file);
    ASSERT_TRUE(waitFor([this] { return workspace->document.isOpen(); }));
    edit();
    ASSERT_TRUE(workspace->document.autosaveNow());
    const QString kept = workspace->document.autosaveFile();
    beforeAnswer = [this] { // a run that is attached to at this very moment
        if (question.startsWith(QStringLiteral("Save")))
            workspace->live.attach(files.path(QStringLiteral("absent")).toStdString(), RunId { 7 },
                QStringLiteral("other"));
    };
    answers = { QStringLiteral("Discard the edits"), QStringLiteral("Cancel") };
    answer(answers.takeFirst());
    window->close();
    EXPECT_TRUE(question.contains(QStringLiteral("trains on without the window")));
    EXPECT_TRUE(window->isVisible());
    EXPECT_TRUE(QFile::exists(kept)); // a crash from here on loses nothing
    EXPECT_TRUE(workspace->document.isDirty());
    ASSERT_TRUE(waitFor([this] { return !workspace->live.isActive(); }));
    beforeAnswer = {};
    answer(QStringLiteral("Discard the edits"));
    window->close();
    EXPECT_FALSE(window->isVisible());
    EXPECT_FALSE(QFile::exists(kept));
}

TEST_F(WindowTest, aPlanFoundTooLateIsOfferedAndTakenWithAClick)
{
    open();
    openPlan(workersPlan());
    workspace->search.planFor(smallModel(), QStringLiteral("small"), *readTopology("cpu:3"), {});
    edit();
    auto* bar = window->findChild<MessageBar*>(QStringLiteral("message"));
    ASSERT_TRUE(waitFor([&] { return bar->isVisible(); }));
    EXPECT_TRUE(bar->sentence().contains(QStringLiteral("A plan was found")));
    EXPECT_EQ(workspace->document.plan().topology.devices.size(), 2U);
    QPushButton* take = nullptr;
    for (auto* button : bar->findChildren<QPushButton*>())
        if (button->isVisible())
            take = button;
    ASSERT_NE(take, nullptr);
    answer(QStringLiteral("Discard the edits"));
    QTest::mouseClick(take, Qt::LeftButton);
    EXPECT_EQ(workspace->document.plan().topology.devices.size(), 3U);
}

TEST_F(WindowTest, aMessageGoesWithItsPageOnceItCouldBeRead)
{
    open();
    openPlan(workersPlan());
    window->showPage(MainWindow::kModel);
    emit workspace->failed(QStringLiteral("something is wrong: mend it"));
    auto* bar = window->findChild<MessageBar*>(QStringLiteral("message"));
    ASSERT_NE(bar, nullptr);
    EXPECT_EQ(bar->sentence(), QStringLiteral("Something is wrong: mend it"));
    window->showPage(MainWindow::kTopology); // at once: it may belong here
    EXPECT_TRUE(bar->isVisible());
    QTest::qWait(1700);
    window->showPage(MainWindow::kModel);
    EXPECT_FALSE(bar->isVisible());
}

TEST_F(WindowTest, aNameIsShownAsItIsWritten)
{
    open();
    Plan plan = workersPlan();
    plan.name = "<b>bold</b> " + std::string(400, 'x');
    openPlan(plan);
    window->showPage(MainWindow::kPlan);
    QTest::qWait(30);
    EXPECT_EQ(window->width(), 1280); // cut, not in the way
    edit();
    answer(QStringLiteral("Cancel"));
    window->close();
    EXPECT_TRUE(question.startsWith(QStringLiteral("Save the edits of <b>bold</b>")));
    EXPECT_LT(question.size(), 120);
}

TEST_F(WindowTest, undoGoesToTheMachineThatIsLookedAt)
{
    open();
    openPlan(workersPlan());
    window->showPage(MainWindow::kTopology);
    workspace->topology.show(*readTopology("dgx1-v100-16g"));
    workspace->topology.remove(7);
    EXPECT_EQ(workspace->topology.topology()->devices.size(), 7U);
    press(Qt::Key_Z);
    EXPECT_EQ(workspace->topology.topology()->devices.size(), 8U);
    edit();
    window->showPage(MainWindow::kPlan);
    press(Qt::Key_Z);
    EXPECT_EQ(workspace->document.plan().microbatches, workersPlan().microbatches);
}

} // namespace stageloom
