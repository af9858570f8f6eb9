// SPDX-License-Identifier: GPL-3.0-or-later
// The rows under the lanes: memory and versions.
#include "trace_fixture.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/row_text.h"
#include "ui/timeline/timeline_view.h"
#include <QApplication>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QTest>
#include <gtest/gtest.h>
#include <set>

using namespace stageloom;

namespace {

constexpr double kGiB = 0x1p30;

// Of the two stages' trace: 10 GiB always, a stash 1 GiB on GPU 0 and 3 GiB on GPU 1.
Trace withMemory()
{
    Trace t = test::twoStages();
    t.memory = { { { 0, 10 * kGiB }, { 0, 11 * kGiB }, { 1, 12 * kGiB }, { 6, 11 * kGiB },
                     { 9, 10 * kGiB } },
        { { 0, 10 * kGiB }, { 1, 13 * kGiB }, { 4, 10 * kGiB }, { 4, 13 * kGiB },
            { 7, 10 * kGiB } } };
    return t;
}

QString textOf(const std::vector<CardLine>& lines)
{
    QStringList all;
    for (const CardLine& line : lines)
        all << line.text;
    return all.join(QLatin1Char('\n'));
}

class Rows : public testing::Test {
protected:
    Rows()
    {
        view.resize(1000, 460);
        view.setPlan(withMemory());
        view.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&view));
    }
    LaneLayout layout() { return layOut(view.model(), view.state(), { view.size(), 0, true }); }
    LaneRow row(RowKind kind)
    {
        for (const LaneRow& one : layout().rows)
            if (one.kind == kind)
                return one;
        ADD_FAILURE();
        return {};
    }
    QPoint inRow(RowKind kind, double x)
    {
        const LaneRow at = row(kind);
        return QPointF(x, at.top + at.height / 2).toPoint();
    }
    // What a picture of the widget shows beyond one without a card.
    bool showsCard() { return view.grab().toImage() != bare; }
    QMenu* popup()
    {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        EXPECT_NE(menu, nullptr);
        return menu;
    }
    TimelineView view;
    QImage bare;
};

} // namespace

TEST(RowText, writesRangesFromOne)
{
    EXPECT_EQ(rangesText({}), "");
    EXPECT_EQ(rangesText({ 4 }), "5");
    EXPECT_EQ(rangesText({ 0, 1, 2, 3, 6 }), "1–4, 7");
    EXPECT_EQ(rangesText({ 0, 2, 4, 6, 8, 10, 12, 14 }), "1, 3, 5, 7, 9, 11, …");
}

TEST(RowText, stashesAreForwardsWhoseBackwardHasNotEnded)
{
    const Trace trace = test::longPipeline(4, 200);
    const TimelineSide side(trace);
    for (double time = -1; time < side.extent().end + 2; time += 7.3)
        for (int device = 0; device < 4; ++device) {
            std::set<int> held;
            for (const Span& s : trace.spans)
                if (s.device == device && s.kind == ActionKind::Forward && s.start <= time)
                    held.insert(s.microbatch);
            for (const Span& s : trace.spans)
                if (s.device == device && s.kind == ActionKind::Backward && s.end <= time)
                    held.erase(s.microbatch);
            const StashesHeld found = stashesHeld(side, device, time);
            ASSERT_EQ(found.count, held.size()) << time;
            ASSERT_TRUE(std::ranges::equal(found.microbatches, held)) << time;
        }
}

TEST(RowText, memorySaysWhatIsHeldAtThePeak)
{
    const TimelineSide side(withMemory());
    const QString over = textOf(memoryCard(side, { 0, 20 * kGiB }, 0.5, {}, true));
    EXPECT_EQ(over.toStdString(),
        "11.0 GiB on GPU 0\nat 500 ms · 55.0 % of 20.0 GiB\n1 stash, microbatch 1\n"
        "peak 12.0 GiB at 1.00 s: 2 stashes, microbatches 1–2");
    const QString unknown = textOf(memoryCard(side, { 1, 0 }, 8, { "a", "Worker 4" }, true));
    EXPECT_EQ(unknown.toStdString(),
        "10.0 GiB on Worker 4\nat 8.00 s\nno stash\n"
        "peak 13.0 GiB at 1.00 s: 1 stash, microbatch 1");
    EXPECT_TRUE(memoryCard(side, { 7, 0 }, 1, {}, true).empty());
    EXPECT_EQ(memoryCard(side, { 1, 12 * kGiB }, 1, {}, true).back().role, CardLine::Role::Warning);
}

TEST(RowText, versionsSayWhichBatchesComputeWithThem)
{
    const Trace trace = test::longPipeline(3, 64); // batches of 8; each reads the one before
    const TimelineSide side(trace);
    const auto batches = [&](int version) {
        std::set<int> readers;
        for (const Span& s : trace.spans)
            if (s.version == version)
                readers.insert(s.batch);
        return readers;
    };
    for (const VersionSegment& segment : side.versions()) {
        const std::set<int> want = batches(segment.version);
        const auto got = side.table().batchesReading(trace.spans, segment.version);
        ASSERT_TRUE(got);
        EXPECT_EQ(got->first, *want.begin());
        EXPECT_EQ(got->second, *want.rbegin());
    }
    EXPECT_FALSE(side.table().batchesReading(trace.spans, 99));
    const QString text = textOf(versionCard(side, 0.5, true));
    EXPECT_TRUE(text.startsWith(QStringLiteral("Version W0\nnewest on every stage 0 s – ")))
        << text.toStdString();
    EXPECT_TRUE(text.endsWith(QStringLiteral("batches 1–2 compute with it")));
    const auto& second = side.versions()[1];
    EXPECT_TRUE(textOf(versionCard(side, second.range.begin, true))
                    .endsWith(QStringLiteral("batch 3 computes with it")));
}

TEST_F(Rows, theFullestDeviceIsShownUntilAnotherIsChosen)
{
    EXPECT_EQ(view.memoryDevice(), 1);
    QTest::keyClick(&view, Qt::Key_M);
    EXPECT_EQ(view.memoryDevice(), 0);
    QTest::keyClick(&view, Qt::Key_M);
    EXPECT_EQ(view.memoryDevice(), 1);
    QTest::keyClick(&view, Qt::Key_M, Qt::ShiftModifier);
    EXPECT_EQ(view.memoryDevice(), 0);
    Trace small = withMemory();
    small.memory.resize(1);
    QTest::keyClick(&view, Qt::Key_M);
    view.setPlan(small); // the device chosen is gone
    EXPECT_EQ(view.memoryDevice(), 0);
}

TEST_F(Rows, aClickOnTheLabelChoosesTheDevice)
{
    view.setDeviceNames({ QStringLiteral("GPU 5"), QStringLiteral("GPU 6") });
    QTest::mouseMove(&view, inRow(RowKind::Memory, 20));
    EXPECT_EQ(view.cursor().shape(), Qt::PointingHandCursor);
    QTest::mouseClick(&view, Qt::LeftButton, {}, inRow(RowKind::Memory, 20));
    QMenu* menu = popup();
    ASSERT_NE(menu, nullptr);
    QStringList texts;
    for (QAction* action : menu->actions())
        if (!action->isSeparator())
            texts << action->text();
    EXPECT_EQ(texts,
        (QStringList { QStringLiteral("The fullest device"), QStringLiteral("GPU 5, peak 12.0 GiB"),
            QStringLiteral("GPU 6, peak 13.0 GiB") }));
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(menu->actions()[2]).center());
    EXPECT_EQ(view.memoryDevice(), 0);
    QTest::mouseMove(&view, inRow(RowKind::Memory, 500));
    EXPECT_EQ(view.cursor().shape(), Qt::ArrowCursor);
    QMenu context;
    view.fillMenu(context, std::nullopt);
    QMenu* memory = nullptr;
    for (QAction* action : context.actions())
        if (action->text() == QStringLiteral("Memory of"))
            memory = action->menu();
    ASSERT_NE(memory, nullptr);
    EXPECT_TRUE(memory->actions()[2]->isChecked());
    memory->actions()[0]->trigger();
    EXPECT_EQ(view.memoryDevice(), 1);
}

// The cursor's line goes with the mouse through every row; the card is there beside it.
TEST_F(Rows, eachRowHasACardUnderTheMouse)
{
    QTest::mouseMove(&view, { 500, 5 });
    bare = view.grab().toImage();
    for (const RowKind kind : { RowKind::Memory, RowKind::Version }) {
        const QPoint at = inRow(kind, 500);
        const auto paper = [&] {
            const QImage now = view.grab().toImage();
            int changed = 0; // under the card, beside the line
            for (int x = 20; x < 60; ++x)
                for (int y = -120; y < 40; ++y)
                    if (const QPoint p = at + QPoint(x, y); now.rect().contains(p))
                        changed += now.pixel(p) != bare.pixel(p) ? 1 : 0;
            return changed > 200;
        };
        QTest::mouseMove(&view, at);
        EXPECT_TRUE(paper()) << static_cast<int>(kind);
        QTest::mouseMove(&view, inRow(kind, 20)); // its label
        EXPECT_FALSE(showsCard()) << static_cast<int>(kind);
        QTest::mouseMove(&view, at);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&view, &leave);
        EXPECT_FALSE(showsCard()) << static_cast<int>(kind);
    }
}

TEST_F(Rows, oneCardAtATime)
{
    const auto picture = [&](RowKind from) {
        QTest::mouseMove(&view, inRow(from, 20));
        QTest::mouseMove(&view, inRow(from, 500));
        QTest::keyClick(&view, Qt::Key_Right); // the first operation's card, at the operation
        const QImage image = view.grab().toImage();
        QTest::keyClick(&view, Qt::Key_Escape);
        return image;
    };
    EXPECT_EQ(picture(RowKind::Memory), picture(RowKind::Version));
}

TEST_F(Rows, theCardGoesWhenWhatIsUnderTheMouseMoves)
{
    QTest::mouseMove(&view, inRow(RowKind::Memory, 500));
    view.state().setVisible({ 2, 5 });
    const QImage now = view.grab().toImage();
    QTest::mouseMove(&view, { 500, 5 });
    EXPECT_EQ(view.grab().toImage(), now);
}
