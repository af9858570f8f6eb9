// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layer_strip.h"
#include "ui/model/layers_panel.h"
#include "ui/model/model_page.h"
#include "ui/model/operator_panel.h"
#include "ui/topology/matrix_panel.h"
#include "ui/topology/topology_page.h"
#include "ui/topology/topology_view.h"
#include "ui/topology/what_if_panel.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/segments.h"

#include "inputs_fixture.h"
#include <QAbstractScrollArea>
#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTableView>
#include <QTreeView>
#include <QtTest/QTest>

using namespace stageloom;

namespace {

template <typename Page> class Shown : public testing::Test {
protected:
    Shown()
    {
        workspace.emplace(files.path(QStringLiteral("runs.sqlite")).toStdString());
        page.emplace(*workspace);
        page->resize(1206, 600); // what a 1280 × 720 screen leaves
        page->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&*page));
    }
    void openPlan(const Plan& plan)
    {
        workspace->document.adopt(plan);
        ASSERT_TRUE(waitFor([this] { return workspace->predictor.prediction() != nullptr; }));
        QCoreApplication::processEvents();
    }
    // Clicks what lies under the point, as a hand would.
    void click(QWidget& widget, const QPointF& at, Qt::KeyboardModifiers keys = Qt::NoModifier)
    {
        const QPoint place = widget.mapTo(&*page, at.toPoint());
        QWidget* under = page->childAt(place);
        ASSERT_NE(under, nullptr);
        QTest::mouseClick(under, Qt::LeftButton, keys, under->mapFrom(&*page, place));
    }
    template <typename Widget> Widget& child() { return *page->template findChild<Widget*>(); }
    // No label or button of the page shows less than its text needs.
    void expectNothingClipped()
    {
        QCoreApplication::processEvents();
        for (auto* button : page->template findChildren<QPushButton*>())
            if (button->isVisible()) {
                EXPECT_GE(button->width(), button->minimumSizeHint().width())
                    << button->text().toStdString();
            }
        for (auto* label : page->template findChildren<QLabel*>())
            if (label->isVisible() && !label->wordWrap()
                && label->sizePolicy().horizontalPolicy() != QSizePolicy::Ignored) {
                EXPECT_GE(label->width(), label->minimumSizeHint().width())
                    << label->text().toStdString();
            }
        for (auto* panel : page->template findChildren<Panel*>())
            if (panel->isVisible() && panel->parentWidget()->layout() != nullptr) {
                const QRect room = panel->parentWidget()->rect();
                EXPECT_TRUE(room.contains(panel->geometry()))
                    << panel->accessibleName().toStdString();
            }
        EXPECT_LE(page->minimumSizeHint().width(), 1206);
        EXPECT_LE(page->minimumSizeHint().height(), 600);
    }

    Files files;
    std::optional<Workspace> workspace;
    std::optional<Page> page;
};

using ModelPageShown = Shown<ModelPage>;
using TopologyPageShown = Shown<TopologyPage>;

Plan workersPlan()
{
    return smallPlan("cpu:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } });
}

} // namespace

TEST_F(ModelPageShown, aClickOnABlockChoosesItsFoldAndKeysGoOn)
{
    openPlan(workersPlan());
    auto& strip = child<LayerStrip>();
    auto& table = *child<LayersPanel>().table();
    click(strip, strip.blockRect(2).center());
    EXPECT_EQ(table.currentIndex().data().toString(), QStringLiteral("block × 3"));
    QTest::keyClick(&strip, Qt::Key_Down);
    EXPECT_EQ(strip.current(), 3);
    EXPECT_TRUE(strip.accessibleDescription().startsWith(QStringLiteral("block 2")));
    const QModelIndex head = table.model()->index(3, 0);
    table.scrollTo(head);
    click(*table.viewport(), table.visualRect(head).center());
    EXPECT_EQ(strip.current(), 5);
    QTest::keyClick(&table, Qt::Key_Up);
    EXPECT_EQ(strip.current(), 4);
}

TEST_F(ModelPageShown, anOperatorIsExplainedBelowAndMarkedInTheBlock)
{
    openPlan(workersPlan());
    auto& table = *child<LayersPanel>().table();
    const QModelIndex fold = table.model()->index(1, 0);
    EXPECT_TRUE(table.isExpanded(fold));
    table.setCurrentIndex(table.model()->index(2, 0, fold));
    QStringList said;
    for (auto* label : page->findChild<OperatorPanel*>()->findChildren<QLabel*>())
        said << label->text();
    EXPECT_TRUE(said.contains(QStringLiteral("32 × 64 → 32 × 192")))
        << said.join(u'|').toStdString();
    EXPECT_TRUE(said.filter(QStringLiteral("h.0–2.attn.c_attn.weight")).size() == 1
        || page->findChild<OperatorPanel*>()->findChild<ElidedLabel*>()->words().contains(
            QStringLiteral("h.0–2.attn.c_attn.weight")));
    auto& strip = child<LayerStrip>();
    click(strip, strip.partRect(5).center()); // mlp.c_fc
    EXPECT_EQ(table.currentIndex().data().toString(), QStringLiteral("mlp.c_fc"));
}

TEST_F(ModelPageShown, columnsSortInsideAFoldAndTheModelsOrderComesBack)
{
    openPlan(workersPlan());
    auto& table = *child<LayersPanel>().table();
    const auto first = [&](int row) {
        const QModelIndex fold = table.model()->index(1, 0);
        return table.model()->index(row, 0, fold).data().toString();
    };
    const QString before = first(1);
    table.sortByColumn(LayersModel::Parameters, Qt::DescendingOrder);
    QModelIndex fold;
    for (int row = 0; row < 4; ++row)
        if (table.model()->index(row, 0).data().toString().startsWith(QStringLiteral("block")))
            fold = table.model()->index(row, 0);
    EXPECT_EQ(table.model()->index(0, 0, fold).data().toString(), QStringLiteral("one block"));
    EXPECT_EQ(table.model()->index(1, 0, fold).data().toString(), QStringLiteral("mlp.c_fc"));
    table.sortByColumn(-1, Qt::AscendingOrder);
    EXPECT_EQ(first(1), before);
}

TEST_F(ModelPageShown, aSearchKeepsLayersOperatorsAndTheirBlocks)
{
    openPlan(workersPlan());
    auto& table = *child<LayersPanel>().table();
    QTest::keyClicks(&child<QLineEdit>(), QStringLiteral("c_attn"));
    ASSERT_EQ(table.model()->rowCount(), 1);
    EXPECT_EQ(table.model()->rowCount(table.model()->index(0, 0)), 1);
    auto& strip = child<LayerStrip>();
    click(strip, strip.blockRect(0).center()); // hidden by the search
    EXPECT_FALSE(table.currentIndex().isValid());
}

TEST_F(ModelPageShown, anotherLengthCountsAgain)
{
    openPlan(workersPlan());
    auto& length = child<QSpinBox>();
    EXPECT_EQ(length.value(), 32);
    length.setFocus();
    length.selectAll();
    QTest::keyClicks(&length, QStringLiteral("16"));
    EXPECT_EQ(workspace->model.model()->seq, 32); // not yet a whole number
    QTest::keyClick(&length, Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return workspace->model.model()->seq == 16; }));
    EXPECT_EQ(length.value(), 16);
    EXPECT_EQ(workspace->document.plan().seq, 32);
}

TEST_F(ModelPageShown, measuredTimesGetTheirColumns)
{
    openPlan(workersPlan());
    auto& table = *child<LayersPanel>().table();
    EXPECT_TRUE(table.isColumnHidden(LayersModel::Forward));
    Profile profile;
    for (int i = 0; i < 6; ++i)
        profile.layers.push_back({ "", 10e-3 * (i + 1), 1e-3, 20e-3 });
    workspace->useProfile(profile);
    EXPECT_FALSE(table.isColumnHidden(LayersModel::Forward));
    EXPECT_EQ(
        table.model()->index(3, LayersModel::Forward).data().toString(), QStringLiteral("60.0"));
    EXPECT_TRUE(workspace->document.plan().profile);
    workspace->document.undoStack().undo();
    ASSERT_TRUE(waitFor([&] { return table.isColumnHidden(LayersModel::Forward); }));
    expectNothingClipped();
}

TEST_F(ModelPageShown, headersAreNeverCut)
{
    openPlan(workersPlan());
    Profile profile;
    profile.layers.resize(6, LayerTime { "", 1e-3, 1e-3, 2e-3 });
    workspace->useProfile(profile);
    auto& header = *child<LayersPanel>().table()->header();
    const QFontMetrics metrics(header.font());
    for (int column = 0; column < LayersModel::ColumnCount; ++column)
        if (!header.isSectionHidden(column)) {
            for (const QString& line :
                header.model()->headerData(column, Qt::Horizontal).toString().split(u'\n'))
                EXPECT_LE(metrics.horizontalAdvance(line) + 16, header.sectionSize(column))
                    << line.toStdString();
        }
}

TEST_F(ModelPageShown, blocksGrowByTheChosenMeasure)
{
    openPlan(workersPlan());
    auto& strip = child<LayerStrip>();
    const double embedding = strip.blockRect(0).height();
    auto& measure = child<Segments>();
    click(*measure.button(1), measure.button(1)->rect().center()); // FLOP: a look-up has none
    EXPECT_LT(strip.blockRect(0).height(), embedding);
    EXPECT_FALSE(measure.button(3)->isEnabled()); // nothing was measured
}

TEST_F(ModelPageShown, isEmptyWithoutAModelAndStillWhole)
{
    expectNothingClipped();
    openPlan(workersPlan());
    expectNothingClipped();
    page->setLayoutDirection(Qt::RightToLeft);
    expectNothingClipped();
}

TEST_F(TopologyPageShown, aClickedLinkIsUnpluggedByDeleteAndUndone)
{
    openPlan(smallPlan("dgx1-v100-16g", { { 0, 2, { 0 } }, { 3, 5, { 1 } } }));
    auto& view = child<TopologyView>();
    click(view, view.linkPoint(0, 3));
    ASSERT_EQ(workspace->topology.selection(), (MachineSelection { 0, 3 }));
    QTest::keyClick(&view, Qt::Key_Delete);
    EXPECT_EQ(workspace->document.plan().topology.linkBetween(0, 3)->kind, LinkKind::Host);
    workspace->document.undoStack().undo();
    EXPECT_EQ(workspace->document.plan().topology.linkBetween(0, 3)->kind, LinkKind::NvLink);
}

TEST_F(TopologyPageShown, aMatrixCellIsThePairEverywhere)
{
    openPlan(smallPlan("rtx4090:4", { { 0, 2, { 0 } }, { 3, 5, { 1 } } }));
    auto& table = *child<MatrixPanel>().table();
    click(*table.viewport(), table.visualRect(table.model()->index(3, 1)).center());
    EXPECT_EQ(workspace->topology.selection(), (MachineSelection { 1, 3 }));
    EXPECT_EQ(table.currentIndex().row(), 3); // stays on the side it was chosen
    table.setFocus();
    QTest::keyClick(&table, Qt::Key_Delete);
    EXPECT_EQ(workspace->document.plan().topology.linkBetween(1, 3), nullptr);
}

TEST_F(TopologyPageShown, twoClickedDevicesAreAPair)
{
    openPlan(smallPlan("rtx4090:4", { { 0, 2, { 0 } }, { 3, 5, { 1 } } }));
    auto& view = child<TopologyView>();
    click(view, view.deviceRect(2).center());
    EXPECT_EQ(workspace->topology.selection(), (MachineSelection { 2, -1 }));
    click(view, view.deviceRect(0).center(), Qt::ShiftModifier);
    EXPECT_EQ(workspace->topology.selection(), (MachineSelection { 0, 2 }));
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_EQ(workspace->topology.selection(), MachineSelection {});
}

TEST_F(TopologyPageShown, keysAddAndRemoveDevicesOfThePlan)
{
    openPlan(smallPlan("rtx4090:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } }));
    auto& view = child<TopologyView>();
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Plus, Qt::ShiftModifier);
    EXPECT_EQ(workspace->document.plan().topology.devices.size(), 3u);
    QTest::keyClick(&view, Qt::Key_Delete);
    EXPECT_EQ(workspace->document.plan().topology.devices.size(), 2u);
    EXPECT_EQ(workspace->document.plan().depth(), 2); // the stage moved to the added one
}

TEST_F(TopologyPageShown, theNumberOfDevicesIsChosenBesideThePicture)
{
    openPlan(workersPlan());
    auto& count = child<QSpinBox>();
    ASSERT_TRUE(count.isVisible());
    count.setFocus();
    QTest::keyClick(&count, Qt::Key_Up);
    ASSERT_TRUE(waitFor([this] { return workspace->topology.topology()->devices.size() == 3; }));
    EXPECT_FALSE(workspace->topology.isPlans());
    EXPECT_EQ(workspace->document.plan().topology.devices.size(), 2u);
    workspace->useShownMachine();
    EXPECT_EQ(workspace->document.plan().topology.devices.size(), 3u);
    EXPECT_TRUE(workspace->topology.isPlans());
}

TEST_F(TopologyPageShown, buttonsNameTheModelAndTitlesFollowTheMachine)
{
    Plan plan = workersPlan();
    plan.name = "small on 2 CPU workers";
    plan.topology.title = "2 CPU workers";
    openPlan(plan);
    QStringList words;
    for (auto* action : page->actions())
        words << static_cast<QPushButton*>(action)->text();
    EXPECT_TRUE(words.contains(QStringLiteral("Plan small here")))
        << words.join(u'|').toStdString();
    EXPECT_TRUE(words.contains(QStringLiteral("Move small here")));
    workspace->topology.show(*readTopology("dgx1-v100-16g"));
    workspace->useShownMachine();
    const Plan& moved = workspace->document.plan();
    EXPECT_EQ(moved.name, "small on " + moved.topology.title);
}

TEST_F(TopologyPageShown, moreDevicesThanLayersArePlannedWithReplicas)
{
    openPlan(workersPlan());
    workspace->topology.show(*readTopology("dgx1-v100-16g")); // 8 devices, 6 layers
    workspace->search.planFor(
        smallModel(), QStringLiteral("small"), workspace->topology.topology(), {});
    ASSERT_TRUE(waitFor([this] { return !workspace->planner.isBusy(); }));
    EXPECT_EQ(workspace->document.plan().topology.devices.size(), 8u);
}

TEST_F(TopologyPageShown, aWhatIfRowIsPlannedAndItsPartUnplugged)
{
    openPlan(smallPlan("rtx4090:4", { { 0, 2, { 0 } }, { 3, 5, { 1 } } }));
    auto& whatIf = child<WhatIfPanel>();
    auto& table = *whatIf.table();
    ASSERT_TRUE(waitFor([&] { return table.model()->rowCount() > 0 && !whatIf.isBusy(); }));
    QSignalSpy concerned(&whatIf, &WhatIfPanel::concerned);
    const auto found = table.model()->match(table.model()->index(0, 0), Qt::DisplayRole,
        QStringLiteral("− GPU 0"), 1, Qt::MatchExactly);
    ASSERT_EQ(found.size(), 1);
    table.setCurrentIndex(found.front());
    ASSERT_EQ(concerned.count(), 1);
    EXPECT_EQ(concerned[0][0].value<std::vector<int>>(), std::vector<int> { 0 });
    EXPECT_EQ(workspace->document.plan().topology.devices.size(), 4u);
    for (auto* button : whatIf.findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Unplug GPU 0"))
            QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(workspace->document.plan().topology.devices.size(), 3u);
    workspace->document.undoStack().undo();
    EXPECT_EQ(workspace->document.plan().topology.devices.size(), 4u);
}

TEST_F(TopologyPageShown, isWholeForEveryMachineAndDirection)
{
    expectNothingClipped();
    for (const char* name : { "cpu:2", "dgx1-v100-16g", "v100-8x8", "frontier:32" }) {
        workspace->topology.show(*readTopology(name));
        expectNothingClipped();
        EXPECT_FALSE(page->grab().isNull());
    }
    page->setLayoutDirection(Qt::RightToLeft);
    expectNothingClipped();
}
