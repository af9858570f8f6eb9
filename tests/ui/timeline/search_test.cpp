// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_fixture.h"
#include "ui/timeline/search.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_tools.h"
#include "ui/timeline/timeline_view.h"
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <gtest/gtest.h>

using namespace stageloom;

namespace {

const QStringList kGpus { QStringLiteral("GPU 0"), QStringLiteral("GPU 1") };

std::size_t hits(const char* text, const QStringList& lanes = kGpus)
{
    TimelineModel model;
    model.setTrace(TraceSide::Plan, test::twoStages());
    const auto query = parseQuery(QString::fromLatin1(text), lanes);
    return query ? findSpans(model, TraceSide::Plan, *query).spans.size() : 999;
}

std::vector<int> devices(const char* text, const QStringList& lanes)
{
    const auto query = parseQuery(QString::fromLatin1(text), lanes);
    return query && query->devices ? *query->devices : std::vector<int> { -1 };
}

} // namespace

TEST(TimelineSearch, findsWhatTheTextNames)
{
    struct Row {
        const char* text;
        std::size_t count;
    };
    for (const Row row : { Row { "microbatch 2", 4 }, Row { "B2", 2 }, Row { "b 1", 2 },
             Row { "F", 4 }, Row { "stage 1", 4 }, Row { "stage 1 B2", 1 },
             Row { "GPU 0 forward", 2 }, Row { "forward gpu0", 2 }, Row { "W0", 8 },
             Row { "W7", 0 }, Row { "batch 1", 8 }, Row { "batch 0", 0 }, Row { "batch 2", 0 },
             Row { "microbatch 9", 0 }, Row { "update", 0 }, Row { "GPU 7", 0 } })
        EXPECT_EQ(hits(row.text), row.count) << row.text;
}

TEST(TimelineSearch, textThatNamesNothingIsNoQuery)
{
    for (const char* text : { "", "  ", "hello", "5", "B3 !" })
        EXPECT_FALSE(parseQuery(QString::fromLatin1(text), kGpus)) << text;
}

TEST(TimelineSearch, aDeviceIsWhatItsLaneIsCalled)
{
    const QStringList swapped { QStringLiteral("GPU 1"), QStringLiteral("GPU 0") };
    EXPECT_EQ(devices("GPU 0", swapped), (std::vector<int> { 1 }));
    EXPECT_EQ(devices("device 1", swapped), (std::vector<int> { 0 }));
    EXPECT_EQ(devices("worker 1", swapped), (std::vector<int> {})); // no lane is called so
    const QStringList mixed { QStringLiteral("Worker 12"), QStringLiteral("Worker 1"),
        QStringLiteral("node-a/GPU 2"), QStringLiteral("Worker 1") };
    EXPECT_EQ(devices("worker 1", mixed), (std::vector<int> { 1, 3 }));
    EXPECT_EQ(devices("worker 12 F3", mixed), (std::vector<int> { 0 }));
    EXPECT_EQ(devices("gpu 2", mixed), (std::vector<int> { 2 }));
    EXPECT_EQ(devices("node-a/gpu 2", mixed), (std::vector<int> { 2 }));
    const QStringList stages { QStringLiteral("Stage 0"), QStringLiteral("Stage 1") };
    EXPECT_EQ(parseQuery(QStringLiteral("stage 1"), stages)->stage, 1);
}

TEST(TimelineSearch, numbersAreThoseOnTheCardsAndBoxes)
{
    Trace trace = test::longPipeline(2, 64); // batches of 8
    TimelineModel model;
    model.setTrace(TraceSide::Plan, trace);
    for (const std::uint32_t index : { 0U, 37U, 100U, 255U }) {
        const SpanRef ref { TraceSide::Plan, index };
        QString place;
        for (const CardLine& line : cardLines(model, ref, {}, nullptr))
            if (line.text.startsWith(QStringLiteral("stage")))
                place = line.text;
        const QString batch = place.section(QStringLiteral(" · "), 1, 1); // "batch 3"
        EXPECT_EQ(batch, QStringLiteral("batch %1").arg(model.span(ref).batch + 1));
        const auto query = parseQuery(batch, kGpus);
        ASSERT_TRUE(query);
        EXPECT_TRUE(query->matches(model.span(ref)));
        const auto byBox
            = parseQuery(QStringLiteral("microbatch ") + boxText(model.span(ref)), kGpus);
        EXPECT_TRUE(byBox->matches(model.span(ref)));
    }
}

TEST(TimelineCard, saysWhatATransferCarriesAndWhereTo)
{
    Trace trace = test::twoStages();
    Span send = trace.spans.front();
    send.kind = ActionKind::Send;
    send.stage = 1;
    for (const auto& [cargo, line] :
        { std::pair(Cargo::Gradient, "gradient to stage 0"), { Cargo::Unknown, "" } }) {
        send.cargo = cargo;
        trace.spans.front() = send;
        TimelineModel model;
        model.setTrace(TraceSide::Plan, trace);
        QStringList lines;
        for (const CardLine& each : cardLines(model, { TraceSide::Plan, 0 }, {}, nullptr))
            lines << each.text;
        EXPECT_EQ(lines.contains(QStringLiteral("gradient to stage 0")), *line != 0);
        EXPECT_EQ(lines.filter(QStringLiteral("gradient")).size(), *line != 0 ? 1 : 0);
    }
}

// However spans lie in the trace, the first in time are kept.
TEST(TimelineSearch, keepsTheFirstInTimeAndSaysSo)
{
    Trace trace = test::longPipeline(3, 400);
    std::shuffle(trace.spans.begin(), trace.spans.end(), std::mt19937(5));
    TimelineModel model;
    model.setTrace(TraceSide::Plan, trace);
    const auto query = parseQuery(QStringLiteral("F"), kGpus);
    const auto starts = [&](std::size_t most) {
        std::vector<double> times;
        for (const SpanRef ref : findSpans(model, TraceSide::Plan, *query, most).spans)
            times.push_back(model.span(ref).start);
        return times;
    };
    std::vector<double> all;
    for (const Span& s : trace.spans)
        if (s.kind == ActionKind::Forward)
            all.push_back(s.start);
    std::ranges::sort(all);
    EXPECT_EQ(starts(5000), all);
    EXPECT_FALSE(findSpans(model, TraceSide::Plan, *query, all.size()).cut);
    for (const std::size_t most : { 1U, 100U, 1199U }) {
        EXPECT_EQ(starts(most), std::vector(all.begin(), all.begin() + static_cast<long>(most)));
        EXPECT_TRUE(findSpans(model, TraceSide::Plan, *query, most).cut);
    }
}

TEST(TimelineSearch, theHitCountSaysThatThereAreMore)
{
    TimelineView view;
    TimelineTools tools(&view);
    view.setPlan(test::longPipeline(1, 100'000)); // 200,000 operations
    auto* field = tools.findChild<QLineEdit*>();
    auto* label = tools.findChild<QLabel*>();
    field->setText(QStringLiteral("batch 1"));
    EXPECT_EQ(label->text(), QStringLiteral("1 of 16"));
    field->setText(QStringLiteral("stage 0"));
    EXPECT_EQ(label->text(), QStringLiteral("1 of the first 100,000"));
}

TEST(TimelineSearch, followsTheNamesOfTheLanes)
{
    TimelineView view;
    view.setPlan(test::twoStages());
    EXPECT_EQ(view.setSearch(QStringLiteral("GPU 1")), 4U);
    EXPECT_EQ(view.model().span(view.state().hits()[0]).device, 1);
    view.setDeviceNames({ QStringLiteral("GPU 1"), QStringLiteral("GPU 0") });
    ASSERT_EQ(view.state().hits().size(), 4U);
    EXPECT_EQ(view.model().span(view.state().hits()[0]).device, 0);
}
