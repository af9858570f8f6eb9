// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layer_strip.h"
#include "ui/model/layers_panel.h"
#include "ui/model/model_page.h"
#include "ui/topology/matrix_panel.h"
#include "ui/topology/topology_page.h"
#include "ui/topology/topology_view.h"

#include "inputs_fixture.h"
#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTableView>
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

TEST_F(ModelPageShown, aClickOnABlockChoosesItsRowAndBack)
{
    openPlan(workersPlan());
    auto& strip = child<LayerStrip>();
    auto& table = *child<LayersPanel>().table();
    click(strip, strip.blockRect(2).center());
    EXPECT_EQ(table.currentIndex().row(), 2);
    QTest::keyClick(&strip, Qt::Key_Down);
    EXPECT_EQ(table.currentIndex().row(), 3);
    click(*table.viewport(), table.visualRect(table.model()->index(5, 0)).center());
    EXPECT_EQ(strip.current(), 5);
    QTest::keyClick(&table, Qt::Key_Up);
    EXPECT_EQ(strip.current(), 4);
}

TEST_F(ModelPageShown, aSearchKeepsLayersAndTheirBlocks)
{
    openPlan(workersPlan());
    auto& table = *child<LayersPanel>().table();
    QTest::keyClicks(&child<QLineEdit>(), QStringLiteral("block"));
    EXPECT_EQ(table.model()->rowCount(), 3);
    click(*table.viewport(), table.visualRect(table.model()->index(0, 0)).center());
    EXPECT_EQ(child<LayerStrip>().current(), 1);
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
        profile.layers.push_back({ "", 1e-3 * (i + 1), 1e-3, 2e-3 });
    workspace->useProfile(profile);
    EXPECT_FALSE(table.isColumnHidden(LayersModel::Forward));
    EXPECT_EQ(
        table.model()->index(5, LayersModel::Forward).data().toString(), QStringLiteral("6.00 ms"));
    EXPECT_TRUE(workspace->document.plan().profile);
    workspace->document.undoStack().undo();
    ASSERT_TRUE(waitFor([&] { return table.isColumnHidden(LayersModel::Forward); }));
    expectNothingClipped();
}

TEST_F(ModelPageShown, blocksGrowByTheChosenMeasure)
{
    openPlan(workersPlan());
    auto& strip = child<LayerStrip>();
    const double embedding = strip.blockRect(0).height();
    for (auto* box : page->findChildren<QComboBox*>())
        if (box->findText(QStringLiteral("Forward FLOPs")) >= 0)
            box->setCurrentIndex(1); // an embedding looks rows up: no product
    EXPECT_LT(strip.blockRect(0).height(), embedding);
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
