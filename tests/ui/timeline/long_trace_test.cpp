// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_fixture.h"
#include "ui/timeline/timeline_view.h"
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

using namespace stageloom;

TEST(LongTrace, isReadBesideTheWindow)
{
    TimelineView view;
    view.resize(600, 300);
    QSignalSpy loading(&view, &TimelineView::loadingChanged);
    view.setRun(test::longPipeline(2, 60'000));
    EXPECT_TRUE(view.isLoading());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.isLoading(); }, 20'000));
    EXPECT_EQ(view.model().trace(TraceSide::Run).spans.size(), 240'000U);
    EXPECT_EQ(loading.size(), 2);
    EXPECT_EQ(view.state().visible(), view.model().side(TraceSide::Run).extent());
}

TEST(LongTrace, isOvertakenByANewOne)
{
    TimelineView view;
    view.setPlan(test::longPipeline(2, 60'000));
    view.setPlan(test::twoStages());
    QTest::qWait(50);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.isLoading(); }, 20'000));
    EXPECT_EQ(view.model().trace(TraceSide::Plan).spans.size(), 8U);
}
