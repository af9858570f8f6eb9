// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_fixture.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/timeline_tools.h"
#include "ui/timeline/timeline_view.h"
#include <QApplication>
#include <QClipboard>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <gtest/gtest.h>

using namespace stageloom;

namespace {

class Tools : public testing::Test {
protected:
    Tools()
    {
        auto* layout = new QVBoxLayout(&window);
        view = new TimelineView;
        tools = new TimelineTools(view);
        layout->addWidget(tools);
        layout->addWidget(view, 1);
        window.resize(1000, 460);
        view->setPlan(test::twoStages());
        window.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&window));
    }
    QToolButton* button(const char* name)
    {
        for (auto* b : tools->findChildren<QToolButton*>())
            if (b->accessibleName() == QLatin1String(name))
                return b;
        return nullptr;
    }
    QWidget window;
    TimelineView* view;
    TimelineTools* tools;
};

} // namespace

TEST_F(Tools, everyButtonHasANameATipAndKeyboardFocus)
{
    for (auto* b : tools->findChildren<QToolButton*>()) {
        if (b->parentWidget() != tools)
            continue; // the line edit's own clear button
        EXPECT_FALSE(b->accessibleName().isEmpty());
        EXPECT_FALSE(b->toolTip().isEmpty());
        EXPECT_TRUE(b->focusPolicy() & Qt::TabFocus);
        EXPECT_GE(b->width(), 28);
        EXPECT_GE(b->height(), 28);
    }
}

TEST_F(Tools, buttonsZoomAndFit)
{
    QTest::mouseClick(button("Zoom in"), Qt::LeftButton);
    EXPECT_NEAR(view->state().visible().length(), 9 / 1.6, 1e-9);
    QTest::mouseClick(button("Zoom out"), Qt::LeftButton);
    EXPECT_NEAR(view->state().visible().length(), 9, 1e-9);
    QTest::mouseClick(button("Zoom in"), Qt::LeftButton);
    QTest::mouseClick(button("Show all"), Qt::LeftButton);
    EXPECT_EQ(view->state().visible(), (TimeRange { 0, 9 }));
}

TEST_F(Tools, findOpensTypesAndGoesThroughTheHits)
{
    auto* field = tools->findChild<QLineEdit*>();
    auto* hits = tools->findChild<QLabel*>();
    EXPECT_FALSE(field->isVisible());
    QTest::mouseClick(button("Find operations"), Qt::LeftButton);
    ASSERT_TRUE(field->isVisible());
    QTest::keyClicks(field, "stage 1");
    EXPECT_EQ(hits->text(), QStringLiteral("1 of 4"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(hits->text(), QStringLiteral("2 of 4"));
    QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(hits->text(), QStringLiteral("1 of 4"));
    field->setText(QStringLiteral("nonsense"));
    EXPECT_EQ(hits->text(), QStringLiteral("not a name of operations"));
    field->setText(QStringLiteral("F99"));
    EXPECT_EQ(hits->text(), QStringLiteral("none found"));
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_FALSE(field->isVisible());
    EXPECT_TRUE(view->state().hits().empty());
}

TEST_F(Tools, arrowsAndEnterReachWhatTheMouseReaches)
{
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Right);
    ASSERT_TRUE(view->state().hover());
    EXPECT_EQ(view->state().hover()->index, 0U);
    QTest::keyClick(view, Qt::Key_Right);
    QTest::keyClick(view, Qt::Key_Return);
    EXPECT_EQ(view->state().microbatch(), 1);
    QTest::keyClick(view, Qt::Key_R);
    EXPECT_EQ(view->state().selection(), (TimeRange { 0, 9 }));
    QTest::keyClick(view, Qt::Key_Escape);
    EXPECT_FALSE(view->state().selection() || view->state().microbatch() || view->state().hover());
}

TEST_F(Tools, menuZoomsFollowsAndCopies)
{
    QMenu menu;
    view->fillMenu(menu, SpanRef { TraceSide::Plan, 2 }); // B1 of stage 0: 4 … 6
    const auto trigger = [&](const char* text) {
        for (QAction* action : menu.actions())
            if (action->text().startsWith(QLatin1String(text)))
                return action->trigger(), true;
        return false;
    };
    ASSERT_TRUE(trigger("Zoom to this operation"));
    EXPECT_NEAR(view->state().visible().begin, 3.8, 1e-9);
    EXPECT_NEAR(view->state().visible().end, 6.2, 1e-9);
    ASSERT_TRUE(trigger("Follow microbatch 1"));
    EXPECT_EQ(view->state().microbatch(), 0);
    ASSERT_TRUE(trigger("Copy what the card says"));
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(),
        "Operation\tMicrobatch\tBatch\tStage\tDevice\tVersion\tStart (s)\tEnd (s)\t"
        "Duration (s)\tStashes\tMost stashes\n"
        "Backward\t1\t1\t0\tGPU 0\tW0\t4\t6\t2\t2\t2");
    ASSERT_TRUE(trigger("Find all of stage 0"));
    EXPECT_EQ(view->state().hits().size(), 4U);
}

TEST_F(Tools, selectionSaysWhatEachDeviceDid)
{
    view->state().select(TimeRange { 0, 9 });
    const QString text = view->selectionSummary().join(QLatin1Char('\n'));
    // Each of the two devices computes 6 of the 9 seconds.
    EXPECT_TRUE(text.contains(QStringLiteral("GPU 0: 66.7 % busy, 33.3 % idle")))
        << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("Forward: 4"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("8 operations"))) << text.toStdString();
}

TEST_F(Tools, picturesAreWritten)
{
    const QTemporaryDir folder;
    const QString png = folder.filePath(QStringLiteral("t.png"));
    ASSERT_TRUE(view->savePicture(png));
    EXPECT_EQ(QImage(png).size(), view->size() * 2);
    EXPECT_TRUE(view->savePicture(folder.filePath(QStringLiteral("t.svg"))));
    EXPECT_FALSE(view->savePicture(folder.filePath(QStringLiteral("no/such/folder/t.png"))));
}

TEST_F(Tools, timeRunsToTheRightInEveryLanguage)
{
    const auto xOf = [&](double time) {
        return layOut(view->model(), view->state(), { view->size(), 0, false }).scale.toPixel(time);
    };
    const QImage before = view->grab().toImage();
    window.setLayoutDirection(Qt::RightToLeft);
    QTest::qWait(10);
    EXPECT_EQ(view->layoutDirection(), Qt::LeftToRight);
    EXPECT_LT(xOf(1), xOf(8));
    EXPECT_EQ(view->spanAt(QPointF(xOf(0.5), 60)), (SpanRef { TraceSide::Plan, 0 }));
    EXPECT_EQ(view->grab().toImage(), before);
}

// As on a screen of twice the density: the same picture, of twice the pixels.
TEST_F(Tools, aFineScreenShowsTheSameTwiceAsFine)
{
    QImage coarse(view->size(), QImage::Format_RGB32), fine(view->size() * 2, QImage::Format_RGB32);
    fine.setDevicePixelRatio(2);
    for (QImage* image : { &coarse, &fine }) {
        QPainter painter(image);
        view->paintOn(painter);
    }
    const LaneLayout layout = layOut(view->model(), view->state(), { view->size(), 0, false });
    for (const LaneRow& row : layout.rows)
        for (const Span& s : view->model().trace(TraceSide::Plan).spans)
            if (row.kind == RowKind::Compute && row.device == s.device) {
                const QPoint at
                    = (layout.rect(row, { s.start, s.end }).topLeft() + QPointF(6, 6)).toPoint();
                EXPECT_EQ(coarse.pixelColor(at), fine.pixelColor(at * 2));
            }
}
