// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/live_buffer.h"

#include <gtest/gtest.h>
#include <thread>

namespace stageloom {

TEST(LiveBuffer, givesEverythingOnceInOrder)
{
    LiveBuffer buffer;
    for (int step = 1; step <= 3; ++step) {
        MetricPoint point;
        point.step = step;
        buffer.onMetrics(point);
    }
    buffer.onLog({ 0, "info", "first" });
    buffer.onStatus({ .phase = "running" });
    buffer.onStatus({ .phase = "paused" });
    LiveBuffer::Content content = buffer.take();
    ASSERT_EQ(content.points.size(), 3U);
    EXPECT_EQ(content.points[2].step, 3);
    EXPECT_EQ(content.log.size(), 1U);
    ASSERT_TRUE(content.status);
    EXPECT_EQ(content.status->phase, "paused"); // the newest
    content = buffer.take();
    EXPECT_TRUE(content.points.empty());
    EXPECT_TRUE(content.log.empty());
    EXPECT_FALSE(content.status);
}

TEST(LiveBuffer, whereNobodyReadsItLosesSpansButNeverPointsOrTheEnd)
{
    LiveBuffer buffer;
    const std::vector<Span> piece(LiveBuffer::kSpanLimit / 4 + 1);
    for (int i = 0; i < 5; ++i)
        buffer.onSpans(piece);
    for (std::size_t i = 0; i < LiveBuffer::kSpanLimit; ++i)
        buffer.onMetrics({});
    buffer.onEnded(RunState::Lost, "last words");
    const LiveBuffer::Content content = buffer.take();
    EXPECT_LE(content.spans.size(), LiveBuffer::kSpanLimit);
    EXPECT_EQ(content.spans.size() + content.droppedSpans, 5 * piece.size());
    EXPECT_EQ(content.points.size(), LiveBuffer::kSpanLimit);
    ASSERT_TRUE(content.ended);
    EXPECT_EQ(*content.ended, RunState::Lost);
    EXPECT_EQ(content.lastWords, "last words");
}

TEST(LiveBuffer, tellsOfASilenceUntilTheEngineIsHeardAgain)
{
    LiveBuffer buffer;
    EXPECT_FALSE(buffer.take().silence);
    buffer.onSilence(5);
    buffer.onSilence(10);
    EXPECT_EQ(buffer.take().silence, 10);
    EXPECT_FALSE(buffer.take().silence); // nothing new
    buffer.onMetrics({});
    EXPECT_EQ(buffer.take().silence, 0);
    buffer.onMetrics({});
    EXPECT_FALSE(buffer.take().silence);
    buffer.onSilence(5);
    buffer.onStatus({});
    EXPECT_EQ(buffer.take().silence, 0); // heard before anybody asked
}

TEST(LiveBuffer, isFilledAndEmptiedByTwoThreads)
{
    LiveBuffer buffer;
    constexpr int kPoints = 20000;
    std::thread engine([&buffer] {
        for (int step = 0; step < kPoints; ++step) {
            MetricPoint point;
            point.step = step;
            buffer.onMetrics(point);
        }
    });
    int next = 0;
    while (next < kPoints)
        for (const MetricPoint& point : buffer.take().points)
            ASSERT_EQ(point.step, next++);
    engine.join();
}

} // namespace stageloom
