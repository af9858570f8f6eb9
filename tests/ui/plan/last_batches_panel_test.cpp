// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"
#include "ui/train/last_batches_panel.h"
#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <gtest/gtest.h>

namespace stageloom {

namespace {

// One stage; batch k of one microbatch from 10k on: forward 0–4, backward 4–9.
std::vector<Span> batch(int k)
{
    Span forward, backward;
    forward.kind = ActionKind::Forward;
    backward.kind = ActionKind::Backward;
    forward.batch = forward.microbatch = backward.batch = backward.microbatch = k;
    forward.start = 10.0 * k;
    forward.end = backward.start = forward.start + 4;
    backward.end = forward.start + 9;
    return { forward, backward };
}

class Following : public testing::Test {
protected:
    Following()
    {
        panel.resize(1000, 420);
        panel.show();
        for (int k = 0; k < 3; ++k)
            panel.append(batch(k));
    }
    QPoint middle() const { return timeline->mapTo(&panel, timeline->rect().center()); }
    // The mouse over the middle of the timeline, to what lies there.
    void wheel(int turns)
    {
        QWidget* target = panel.childAt(middle());
        const QPoint at = target->mapFrom(&panel, middle());
        QWheelEvent event(at, target->mapToGlobal(at), {}, { 0, 120 * turns }, Qt::NoButton,
            Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(target, &event);
    }
    void clickFollow()
    {
        for (auto* button : panel.findChildren<QToolButton*>())
            if (button->text() == QStringLiteral("Follow"))
                QTest::mouseClick(
                    panel.childAt(button->mapTo(&panel, button->rect().center())), Qt::LeftButton);
    }
    int newestInPicture() const
    {
        return timeline->model().trace(TraceSide::Run).spans.back().batch;
    }
    LastBatchesPanel panel;
    TimelineView* timeline = panel.findChild<TimelineView*>();
};

TEST_F(Following, showsTheNewestUntilAHandZooms)
{
    ASSERT_TRUE(panel.isFollowing());
    panel.append(batch(3));
    EXPECT_EQ(newestInPicture(), 3);
    EXPECT_TRUE(panel.isFollowing());
    wheel(2);
    EXPECT_FALSE(panel.isFollowing());
    const TimeRange chosen = timeline->state().visible();
    panel.append(batch(4));
    EXPECT_EQ(newestInPicture(), 3); // the picture is held
    EXPECT_EQ(timeline->state().visible(), chosen);
    EXPECT_EQ(panel.batches().lastBatch(), 4); // and nothing is lost meanwhile
}

TEST_F(Following, theButtonShowsTheNewestAndAllOfIt)
{
    wheel(2);
    panel.append(batch(3));
    clickFollow();
    EXPECT_TRUE(panel.isFollowing());
    EXPECT_EQ(newestInPicture(), 3);
    EXPECT_EQ(timeline->state().visible(), timeline->state().extent());
    clickFollow(); // holds without a zoom too
    EXPECT_FALSE(panel.isFollowing());
    panel.append(batch(4));
    EXPECT_EQ(newestInPicture(), 3);
}

TEST_F(Following, showingAllFollowsAgain)
{
    QTest::mouseClick(panel.childAt(middle()), Qt::LeftButton);
    QTest::keyClick(
        QApplication::focusWidget() ? QApplication::focusWidget() : timeline, Qt::Key_W);
    EXPECT_FALSE(panel.isFollowing());
    QTest::keyClick(timeline, Qt::Key_F);
    EXPECT_TRUE(panel.isFollowing());
    panel.append(batch(3));
    EXPECT_EQ(newestInPicture(), 3);
}

TEST_F(Following, aNewRunIsFollowedFromItsBeginning)
{
    wheel(2);
    panel.clear();
    EXPECT_TRUE(panel.isFollowing());
    panel.append(batch(0));
    EXPECT_EQ(newestInPicture(), 0);
}

// What comes after a batch was whole, its update, is drawn too.
TEST_F(Following, drawsWhatABatchStillGets)
{
    Span update;
    update.kind = ActionKind::Update;
    update.batch = 2;
    update.start = 29;
    update.end = 30;
    panel.append({ update });
    EXPECT_EQ(timeline->model().trace(TraceSide::Run).spans.back().kind, ActionKind::Update);
}

TEST(ElidedLabel, cutsItsWordsAndTellsThemWhole)
{
    QWidget window;
    auto* layout = new QHBoxLayout(&window);
    auto* label = new ElidedLabel("caption");
    layout->addWidget(label);
    const QString words = QStringLiteral("measured under predicted, on one clock");
    label->setWords(words);
    EXPECT_EQ(label->minimumSizeHint().width(), 0);
    window.resize(600, 40);
    window.show();
    QApplication::processEvents();
    EXPECT_FALSE(label->isCut());
    window.resize(120, 40);
    QApplication::processEvents();
    EXPECT_EQ(window.width(), 120); // it does not ask for room
    EXPECT_TRUE(label->isCut());
    EXPECT_EQ(label->accessibleName(), words);
    const int bare = label->sizeHint().height();
    label->setStyleSheet(QStringLiteral("padding: 5px;"));
    EXPECT_EQ(label->sizeHint().height(), bare + 10); // letters are not cut by the padding
}

} // namespace

} // namespace stageloom
