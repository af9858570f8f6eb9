// SPDX-License-Identifier: GPL-3.0-or-later
#include "page_fixture.h"

#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSvgRenderer>
#include <QTimer>
#include <SQLiteCpp/SQLiteCpp.h>
#include <fstream>

using namespace stageloom;
using namespace stageloom::test;

namespace {

class RunsExportPageTest : public RunsPageTest {
protected:
    // Chooses the export whose name begins so, and the file in the dialog that follows.
    QString exportAs(const QString& begin, const QString& ending)
    {
        QString path = QString::fromStdString((m_folder.path() / "out").string()) + ending;
        onDialog<QFileDialog>([path](QFileDialog& dialog) {
            dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
            QTest::keyClick(&dialog, Qt::Key_Return);
            if (dialog.isVisible())
                static_cast<QDialog&>(dialog).accept();
        });
        auto& button = static_cast<QPushButton&>(this->button(QStringLiteral("Export 2 runs   ")));
        for (QAction* action : button.menu()->actions())
            if (action->text().startsWith(begin))
                action->trigger();
        EXPECT_TRUE(waitFor([&] { return QFile::exists(path); }, 5000)) << path.toStdString();
        settle();
        return path;
    }
};

} // namespace

TEST_F(RunsPageTest, anEmptyStoreSaysWhatToDo)
{
    start();
    EXPECT_TRUE(says(QStringLiteral("No runs yet")));
    EXPECT_TRUE(says(QStringLiteral("stageloom train")));
    EXPECT_FALSE(m_table->isVisible());
}

TEST_F(RunsPageTest, aBrokenStoreIsSaidWhereTheRunsWouldBeAndCanBeTriedAgain)
{
    std::ofstream(file()) << "these are words and not a database, whoever wrote them here";
    start();
    EXPECT_TRUE(says(QStringLiteral("The runs cannot be read")));
    EXPECT_TRUE(says(QStringLiteral("runs.sqlite")));
    std::filesystem::remove(file());
    add({});
    QTest::mouseClick(&button(QStringLiteral("Try again")), Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return m_table->isVisible(); }));
    EXPECT_EQ(m_table->model()->rowCount(), 1);
}

TEST_F(RunsPageTest, thePageOpensWithTheNewestRunChosen)
{
    for (const SampleRun& run : severalRuns())
        add(run);
    start();
    EXPECT_EQ(m_table->chosen(), (std::vector<RunId> { { 12 } }));
    EXPECT_GT(plot().pointsDrawn(), 0U);
    EXPECT_TRUE(m_page->subtitle().contains(QStringLiteral("12")));
}

TEST_F(RunsPageTest, twoRunsChosenAreTwoCurvesInTheColoursBesideTheirNumbers)
{
    for (const SampleRun& run : severalRuns())
        add(run);
    start();
    click(RunId { 11 });
    click(RunId { 9 }, Qt::ControlModifier);
    EXPECT_EQ(m_table->chosen(), (std::vector<RunId> { { 11 }, { 9 } }));
    const QString readout = plot().readoutAt(plot().width() / 2.0);
    EXPECT_TRUE(readout.contains(QStringLiteral("experiment 11"))) << readout.toStdString();
    EXPECT_TRUE(readout.contains(QStringLiteral("experiment 9")));
    EXPECT_FALSE(readout.contains(QStringLiteral("experiment 12")));
    const QColor first = model().mark(RunId { 11 }), second = model().mark(RunId { 9 });
    EXPECT_TRUE(first.isValid() && second.isValid() && first != second);
    EXPECT_FALSE(model().mark(RunId { 12 }).isValid());
}

TEST_F(RunsPageTest, typingInTheFilterNarrowsTheTable)
{
    for (const SampleRun& run : severalRuns())
        add(run);
    start();
    QTest::keyClick(m_page.get(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(&filter(), QStringLiteral("tag:baseline loss<3.5"));
    EXPECT_EQ(model().shownRuns(), 1);
    EXPECT_TRUE(model().indexOf(RunId { 9 }).isValid());
    QTest::keyClicks(&filter(), QStringLiteral(" nothing"));
    EXPECT_TRUE(says(QStringLiteral("no run matches")));
}

TEST_F(RunsPageTest, groupedRowsCloseAndStayClosedThroughARefresh)
{
    for (const SampleRun& run : severalRuns())
        add(run);
    start();
    auto* grouping = m_page->findChild<QComboBox*>();
    for (auto* box : m_page->findChildren<QComboBox*>())
        if (box->accessibleName() == QStringLiteral("Groups"))
            grouping = box;
    grouping->setFocus();
    QTest::keyClick(grouping, Qt::Key_Down);
    QTest::keyClick(grouping, Qt::Key_Down); // by schedule
    ASSERT_EQ(model().rowCount(), 3);
    m_table->collapse(model().index(1, 0));
    add({}); // one more 2bw
    m_workspace->runs.refresh();
    ASSERT_TRUE(waitFor([this] { return model().shownRuns() == 13; }));
    EXPECT_FALSE(m_table->isExpanded(model().index(1, 0)));
    EXPECT_TRUE(m_table->isExpanded(model().index(0, 0)));
    EXPECT_EQ(m_table->chosen(), (std::vector<RunId> { { 12 } }));
}

TEST_F(RunsPageTest, aRefreshKeepsWhatIsChosenAndWhatIsInSight)
{
    for (int i = 0; i < 60; ++i)
        add({});
    start();
    m_table->choose(RunId { 20 });
    settle();
    m_table->scrollTo(model().indexOf(RunId { 30 }), QAbstractItemView::PositionAtTop);
    const int before = m_table->visualRect(model().indexOf(RunId { 28 })).top();
    ASSERT_GT(m_table->verticalScrollBar()->value(), 0);
    add({});
    m_workspace->runs.refresh();
    ASSERT_TRUE(waitFor([this] { return model().shownRuns() == 61; }));
    EXPECT_EQ(m_table->chosen(), (std::vector<RunId> { { 20 } }));
    EXPECT_EQ(m_table->visualRect(model().indexOf(RunId { 28 })).top(), before);
}

TEST_F(RunsPageTest, tagsAndNotesAreWrittenInPlaceAndARefreshDoesNotTakeTheTextAway)
{
    add({});
    start();
    const QPoint tags = cell(RunId { 1 }, RunField::Tags).center();
    QTest::mouseClick(m_table->viewport(), Qt::LeftButton, {}, tags);
    QTest::mouseDClick(m_table->viewport(), Qt::LeftButton, {}, tags);
    auto* line = m_table->viewport()->findChild<QLineEdit*>();
    ASSERT_NE(line, nullptr);
    QTest::keyClicks(line, QStringLiteral("paper, lo"));
    add({}); // another run arrives while somebody writes
    m_workspace->runs.refresh();
    ASSERT_TRUE(waitFor([this] { return m_workspace->runs.entries()->size() == 2; }));
    ASSERT_EQ(m_table->viewport()->findChild<QLineEdit*>(), line);
    QTest::keyClicks(line, QStringLiteral("ng"));
    QTest::keyClick(line, Qt::Key_Return);
    Database database = open();
    ASSERT_TRUE(waitFor([&] {
        return RunStore(database).get(RunId { 1 })->tags
            == std::vector<std::string> { "paper", "long" };
    }));
    EXPECT_EQ(model().rowCount(), 2);

    const QPoint notes = cell(RunId { 1 }, RunField::Notes).center();
    QTest::mouseClick(m_table->viewport(), Qt::LeftButton, {}, notes);
    QTest::keyClick(m_table, Qt::Key_F2);
    m_table->edit(m_table->currentIndex().siblingAtColumn(static_cast<int>(RunField::Notes)));
    auto* text = m_table->viewport()->findChild<QPlainTextEdit*>();
    ASSERT_NE(text, nullptr);
    QTest::keyClicks(text, QStringLiteral("first line"));
    QTest::keyClick(text, Qt::Key_Return);
    QTest::keyClicks(text, QStringLiteral("second"));
    m_table->commitOpenEditor();
    EXPECT_TRUE(waitFor(
        [&] { return RunStore(database).get(RunId { 1 })->notes == "first line\nsecond"; }));
}

TEST_F(RunsExportPageTest, everyFormOfAnExportIsAFileThatCanBeRead)
{
    for (const SampleRun& run : severalRuns())
        add(run);
    start();
    click(RunId { 2 });
    click(RunId { 3 }, Qt::ControlModifier);
    std::ifstream csv(exportAs(QStringLiteral("Numbers"), QStringLiteral(".csv")).toStdString());
    std::string line;
    int lines = 0;
    while (std::getline(csv, line))
        ++lines;
    EXPECT_EQ(lines, 1 + 2 * 20);
    const QString json = exportAs(QStringLiteral("Everything"), QStringLiteral(".json"));
    EXPECT_EQ(readJsonFile(json.toStdString()).value()["runs"].size(), 2u);
    const QString trace = exportAs(QStringLiteral("Timeline"), QStringLiteral(".trace.json"));
    EXPECT_GT(readJsonFile(trace.toStdString()).value()["traceEvents"].size(), 90u);
    const QImage png(exportAs(QStringLiteral("Curves (PNG)"), QStringLiteral(".png")));
    EXPECT_GE(png.width(), plot().width());
    QSvgRenderer svg(exportAs(QStringLiteral("Curves (SVG)"), QStringLiteral(".svg")));
    EXPECT_TRUE(svg.isValid());
}

TEST_F(RunsPageTest, deletingAsksAndARunThatGoesOnCannotBeDeleted)
{
    add({});
    add({});
    SampleRun live;
    live.state = RunState::Running;
    add(live);
    start();
    EXPECT_FALSE(button(QStringLiteral("Delete run 3…")).isEnabled()); // the live one is chosen
    click(RunId { 2 });
    ASSERT_TRUE(button(QStringLiteral("Delete run 2…")).isEnabled());
    QString question;
    onDialog<QMessageBox>([&](QMessageBox& box) {
        question = box.text();
        QTest::keyClick(&box, Qt::Key_Escape);
    });
    QTest::keyClick(m_table, Qt::Key_Delete);
    EXPECT_TRUE(question.contains(QStringLiteral("run 2"))) << question.toStdString();
    EXPECT_EQ(m_workspace->runs.entries()->size(), 3u);
    onDialog<QMessageBox>([](QMessageBox& box) {
        for (QAbstractButton* button : box.buttons())
            if (box.buttonRole(button) == QMessageBox::DestructiveRole)
                QTest::mouseClick(button, Qt::LeftButton);
    });
    QTest::mouseClick(&button(QStringLiteral("Delete run 2…")), Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return model().shownRuns() == 2; }));
    EXPECT_FALSE(model().indexOf(RunId { 2 }).isValid());
}

TEST_F(RunsPageTest, ticksStayWhenTheCurrentRowMovesOnAndButtonsNameTheirTarget)
{
    for (const SampleRun& run : severalRuns())
        add(run);
    start();
    click(RunId { 11 });
    const QRect tick = m_table->visualRect(model().indexOf(RunId { 9 }));
    QTest::mouseClick(m_table->viewport(), Qt::LeftButton, {},
        QPoint(tick.left() + RunsTable::kTick / 2, tick.center().y()));
    settle();
    EXPECT_EQ(m_table->chosen(), (std::vector<RunId> { { 11 }, { 9 } }));
    click(RunId { 5 }); // only looked at
    EXPECT_EQ(m_table->chosen(), (std::vector<RunId> { { 11 }, { 9 } }));
    EXPECT_EQ(m_table->current(), RunId { 5 });
    EXPECT_TRUE(button(QStringLiteral("Run 5 again")).isEnabled());
    EXPECT_TRUE(button(QStringLiteral("Delete 2 runs…")).isEnabled());
    QTest::keyClick(m_table, Qt::Key_Space);
    EXPECT_EQ(m_table->chosen(), (std::vector<RunId> { { 11 }, { 9 }, { 5 } }));
    QTest::keyClick(m_table, Qt::Key_Escape);
    EXPECT_EQ(m_table->chosen(), (std::vector<RunId> { { 5 } }));
}

TEST_F(RunsPageTest, numbersAreNeverCutAndEmptyWordsGiveTheirRoomToNames)
{
    SampleRun run;
    run.name = "a name of thirty letters or so";
    run.steps = 1263;
    add(run);
    {
        Database database = open();
        database.raw().exec("UPDATE runs SET planned_steps = 1500");
    }
    start({ 1208, 644 });
    for (int c = 0; c < kRunFields; ++c) {
        const auto field = static_cast<RunField>(c);
        if (m_table->isColumnHidden(c) || fieldInfo(field).shrinks != Shrinks::Never)
            continue;
        const QString text = model().index(0, c).data().toString();
        EXPECT_GE(m_table->columnWidth(c), m_table->fontMetrics().horizontalAdvance(text))
            << text.toStdString();
    }
    EXPECT_GE(m_table->columnWidth(static_cast<int>(RunField::Name)), 140);
    EXPECT_EQ(model().index(0, static_cast<int>(RunField::Steps)).data().toString(),
        QStringLiteral("1,263 / 1,500"));
}

TEST_F(RunsPageTest, aPageThatIsNotSeenReadsNothing)
{
    SampleRun live;
    live.state = RunState::Running;
    add(live);
    start();
    ASSERT_EQ(m_table->chosen(), (std::vector<RunId> { { 1 } }));
    m_page->hide();
    int read = 0;
    m_workspace->runs.refresh();
    waitFor([&] { return m_page->isBusy() && ++read > 0; }, 400);
    EXPECT_EQ(read, 0); // the chosen run goes on, and nobody looks
    m_page->show();
    m_workspace->runs.refresh();
    EXPECT_TRUE(waitFor([&] { return m_page->isBusy(); }, 2000));
    settle();
}
