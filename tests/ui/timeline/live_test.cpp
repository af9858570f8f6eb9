// SPDX-License-Identifier: GPL-3.0-or-later
// A run that grows while it is shown is the run that is opened when it is over.
#include "trace_fixture.h"
#include "ui/timeline/range_statistics.h"
#include "ui/timeline/timeline_difference.h"
#include "ui/timeline/timeline_view.h"
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

using namespace stageloom;

namespace {

std::vector<IdleGap> gapsOf(const TimelineSide& side)
{
    std::vector<IdleGap> gaps;
    for (int device = 0; device < side.trace().devices; ++device)
        side.visitGaps(device, side.extent(), 0, [&](const TimeRange& range, IdleCause cause) {
            gaps.push_back({ device, range, cause });
        });
    return gaps;
}

// In the order in which devices would report: by end, but each device's spans in lumps of its own.
std::vector<std::vector<Span>> arrivals(const Trace& trace, unsigned seed)
{
    std::vector<std::vector<Span>> byDevice(static_cast<std::size_t>(trace.devices));
    for (const Span& s : trace.spans)
        byDevice[static_cast<std::size_t>(s.device)].push_back(s);
    std::mt19937 random(seed);
    std::vector<std::size_t> sent(byDevice.size(), 0);
    std::vector<std::vector<Span>> lumps;
    for (bool any = true; any;) {
        any = false;
        for (std::size_t device = 0; device < byDevice.size(); ++device) {
            const auto from = static_cast<long>(sent[device]);
            const std::size_t to = std::min(byDevice[device].size(), sent[device] + random() % 90);
            sent[device] = to;
            any = any || to < byDevice[device].size();
            lumps.emplace_back(
                byDevice[device].begin() + from, byDevice[device].begin() + static_cast<long>(to));
        }
    }
    return lumps;
}

QImage picture(TimelineView& view)
{
    QImage image(view.size(), QImage::Format_RGB32);
    QPainter painter(&image);
    view.paintOn(painter);
    return image;
}

} // namespace

TEST(LiveTimeline, appendingEqualsBuildingAtOnce)
{
    const Trace trace = test::longPipeline(4, 1500, 9);
    const TimelineSide whole(trace);
    Trace start;
    start.timeUnit = trace.timeUnit;
    start.microbatches = trace.microbatches;
    TimelineSide live(start);
    for (const auto& lump : arrivals(trace, 5))
        live.append(lump);
    ASSERT_EQ(live.trace().spans.size(), trace.spans.size());
    EXPECT_EQ(live.extent(), whole.extent());
    const auto wanted = gapsOf(whole), got = gapsOf(live);
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_EQ(got[i].cause, wanted[i].cause) << i;
        ASSERT_EQ(got[i].range, wanted[i].range) << i;
    }
    for (int stage = 0; stage < 4; ++stage)
        EXPECT_EQ(live.mostInFlight(stage), whole.mostInFlight(stage));
    for (int device = 0; device < 4; ++device)
        for (const TimeRange range : { whole.extent(), TimeRange { 100.5, 2222.2 } }) {
            const LaneSums a = live.sums(device, range), b = whole.sums(device, range);
            EXPECT_EQ(a.count, b.count);
            EXPECT_NEAR(a.busy(), b.busy(), 1e-6);
        }
    ASSERT_EQ(live.versions().size(), whole.versions().size());
    for (std::size_t i = 0; i < whole.versions().size(); ++i)
        EXPECT_EQ(live.versions()[i].range, whole.versions()[i].range);
}

TEST(LiveTimeline, looksAsIfItHadBeenOpenedAtOnce)
{
    Trace run = test::longPipeline(3, 300, 4);
    Trace plan = test::longPipeline(3, 24, 2);
    TimelineView whole, live;
    for (TimelineView* view : { &whole, &live }) {
        view->resize(900, 400);
        view->setPlan(plan);
        view->setMode(TimelineMode::Difference);
    }
    whole.setRun(run);
    Trace none;
    none.microbatches = run.microbatches;
    live.setRun(none);
    std::vector<Span> sorted = run.spans;
    std::ranges::stable_sort(sorted, {}, &Span::start);
    for (std::size_t i = 0; i < sorted.size(); i += 50) {
        live.appendSpans({ sorted.begin() + static_cast<long>(i),
            sorted.begin() + static_cast<long>(std::min(i + 50, sorted.size())) });
        if (i % 200 == 0)
            picture(live);
    }
    live.fit();
    whole.fit();
    EXPECT_EQ(picture(live), picture(whole));
}

TEST(LiveTimeline, theNamesOfSpansAreFoundInAnyOrderOfArrival)
{
    Trace trace = test::longPipeline(3, 200);
    std::shuffle(trace.spans.begin(), trace.spans.end(), std::mt19937(8));
    TimelineModel model;
    model.setTrace(TraceSide::Run, trace);
    for (std::size_t i = 0; i < trace.spans.size(); i += 7) {
        const Span& s = trace.spans[i];
        const auto input = model.input({ TraceSide::Run, static_cast<std::uint32_t>(i) });
        const int from = s.stage + (s.kind == ActionKind::Forward ? -1 : 1);
        if (from < 0 || from > 2) {
            EXPECT_FALSE(input);
            continue;
        }
        ASSERT_TRUE(input);
        EXPECT_EQ(model.span(*input).stage, from);
        EXPECT_EQ(model.span(*input).microbatch, s.microbatch);
        EXPECT_EQ(model.span(*input).kind, s.kind);
    }
    // In flight, by a walk.
    for (std::size_t i = 0; i < trace.spans.size(); i += 31) {
        const Span& asked = trace.spans[i];
        int inFlight = asked.kind == ActionKind::Forward ? 1 : 0;
        for (const Span& s : trace.spans)
            if (s.stage == asked.stage && s.start < asked.start)
                inFlight += s.kind == ActionKind::Forward ? 1 : -1;
        EXPECT_EQ(model.stashAt({ TraceSide::Run, static_cast<std::uint32_t>(i) }), inFlight);
    }
}

TEST(LiveTimeline, aLongTraceIsReadBesideTheWindow)
{
    TimelineView view;
    view.resize(600, 300);
    QSignalSpy loading(&view, &TimelineView::loadingChanged);
    view.setRun(test::longPipeline(2, 60'000));
    EXPECT_TRUE(view.isLoading());
    // What a run sends meanwhile is not lost.
    view.appendSpans({ test::span(ActionKind::Forward, 0, 60'000, 1e6, 1e6 + 1) });
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.isLoading(); }, 20'000));
    EXPECT_EQ(view.model().trace(TraceSide::Run).spans.size(), 240'001U);
    EXPECT_EQ(loading.size(), 2);
    EXPECT_DOUBLE_EQ(view.state().visible().end, 1e6 + 1);
}

TEST(LiveTimeline, aNewTraceOvertakesTheOneBeingRead)
{
    TimelineView view;
    view.setPlan(test::longPipeline(2, 60'000));
    view.setPlan(test::twoStages());
    QTest::qWait(50);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.isLoading(); }, 20'000));
    EXPECT_EQ(view.model().trace(TraceSide::Plan).spans.size(), 8U);
}
