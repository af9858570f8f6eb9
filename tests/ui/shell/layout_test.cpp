// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell_fixture.h"
#include "whole.h"

#include "ui/plan/plan_page.h"
#include "ui/plan/stage_strip.h"
#include "ui/train/train_form.h"
#include "ui/train/train_page.h"
#include "ui/widgets/dock_area.h"
#include "ui/widgets/page.h"
#include <QLayout>
#include <QLineEdit>

namespace stageloom {

namespace {

class LayoutTest : public ShellTest {
protected:
    // Once the window has settled: panels are laid out in a later turn of the event loop.
    std::string complaints(const QStringList& maySlide = {})
    {
        QDeadlineTimer patience(3000);
        QStringList all;
        do {
            QTest::qWait(30);
            all = complaintsAbout(*window, maySlide);
        } while (!all.isEmpty() && !patience.hasExpired());
        return all.join(u'\n').toStdString();
    }
    // What asks for a page's height, from the outside to the inside.
    static std::string tallest(const Page& page)
    {
        constexpr int kMuch = 250; // px
        std::string all;
        for (const QWidget* part : page.findChildren<QWidget*>())
            if (const int least = std::max(part->minimumHeight(),
                    part->layout() != nullptr ? part->layout()->minimumSize().height() : 0);
                least > kMuch)
                all += std::string(part->metaObject()->className()) + " "
                    + (part->objectName() + part->accessibleName()).toStdString() + " "
                    + std::to_string(least) + "; ";
        return all;
    }
};

// The small model on the first devices of a large machine.
Plan planOn(int devices)
{
    return smallPlan(devices == 64 ? "v100-8x8" : "dgx1-v100-16g",
        { { 0, 0, { 0 } }, { 1, 1, { 1 } }, { 2, 2, { 2 } }, { 3, 5, { 3 } } });
}

const QStringList kMaySlide { QStringLiteral("Link matrix") }; // the matrix

} // namespace

TEST_F(LayoutTest, everyPageIsWholeOnASmallScreenInBothDirections)
{
    open();
    for (const bool planned : { false, true }) {
        if (planned)
            openPlan(workersPlan());
        for (const Qt::LayoutDirection direction : { Qt::LeftToRight, Qt::RightToLeft }) {
            window->setLayoutDirection(direction);
            for (int page = 0; page < kPages; ++page) {
                window->showPage(page);
                EXPECT_EQ(complaints(kMaySlide), "")
                    << "page " << page + 1
                    << (direction == Qt::RightToLeft ? ", right to left" : "")
                    << (planned ? "" : ", no plan");
            }
        }
    }
    EXPECT_EQ(window->size(), QSize(1280, 720)); // no page pushed it wider
    for (const Page* page : window->findChildren<Page*>())
        EXPECT_LE(page->minimumSizeHint().width(), 1280 - 78) << page->title().toStdString();
}

TEST_F(LayoutTest, aPlanOfManyStagesIsWholeToo)
{
    open();
    openPlan(manyStagesPlan());
    for (const Qt::LayoutDirection direction : { Qt::LeftToRight, Qt::RightToLeft })
        for (const int page : { MainWindow::kPlan, MainWindow::kTrain }) {
            window->setLayoutDirection(direction);
            window->showPage(page);
            EXPECT_EQ(complaints(), "") << "page " << page + 1;
        }
}

TEST_F(LayoutTest, eightAndSixtyFourDevicesFitOnASmallScreen)
{
    for (const int devices : { 8, 64 }) {
        open();
        openPlan(planOn(devices));
        for (int page = 0; page < kPages; ++page) {
            window->showPage(page);
            QTest::qWait(30);
        }
        const QList<Page*> pages = window->findChildren<Page*>();
        int most = 0;
        for (const Page* page : pages)
            most = std::max(most, page->minimumSizeHint().height());
        const int around = window->minimumSizeHint().height() - most; // menus, header, status
        for (const Page* page : pages) {
            const QSize least = page->minimumSizeHint();
            EXPECT_LE(least.height() + around, 720)
                << devices << " devices, " << page->metaObject()->className() << ": "
                << tallest(*page);
            EXPECT_LE(least.width(), 1280 - 78)
                << devices << " devices, " << page->metaObject()->className();
        }
        window.reset();
        workspace.reset();
    }
}

TEST_F(LayoutTest, noPanelCoversAnotherWithEightOrSixtyFourDevices)
{
    for (const int devices : { 8, 64 }) {
        open();
        openPlan(planOn(devices));
        for (const int page : { MainWindow::kPlan, MainWindow::kTrain }) {
            window->showPage(page);
            QTest::qWait(60);
            std::vector<PanelDock*> docks;
            for (PanelDock* dock : window->findChildren<PanelDock*>())
                if (dock->isVisible())
                    docks.push_back(dock);
            for (std::size_t a = 0; a < docks.size(); ++a)
                for (std::size_t b = a + 1; b < docks.size(); ++b)
                    if (docks[a]->parent() == docks[b]->parent()) {
                        EXPECT_FALSE(docks[a]->geometry().intersects(docks[b]->geometry()))
                            << devices << " devices, page " << page + 1 << ": "
                            << docks[a]->objectName().toStdString() << " and "
                            << docks[b]->objectName().toStdString();
                    }
        }
        window.reset();
        workspace.reset();
    }
}

TEST_F(LayoutTest, theSideColumnGoesToTheOtherSideFromRightToLeft)
{
    open();
    openPlan(workersPlan());
    window->showPage(MainWindow::kPlan);
    auto& strip = child<StageStrip>();
    QTest::qWait(30);
    const int before = strip.mapTo(&*window, QPoint()).x();
    window->setLayoutDirection(Qt::RightToLeft);
    QTest::qWait(30);
    EXPECT_GT(strip.mapTo(&*window, QPoint()).x(), before + 200);
}

TEST_F(LayoutTest, bothPagesPaintEveryPixelOfADenseScreen)
{
    open();
    openPlan(workersPlan());
    for (const int page : { MainWindow::kPlan, MainWindow::kTrain }) {
        window->showPage(page);
        QTest::qWait(30);
        const double ratio = std::max(2.0, window->devicePixelRatioF());
        QImage image(
            (QSizeF(window->size()) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(ratio);
        image.fill(Qt::transparent);
        window->render(&image);
        for (int x = 2; x < image.width(); x += 37)
            for (int y = 2; y < image.height(); y += 37)
                ASSERT_EQ(image.pixelColor(x, y).alpha(), 255) << x << ' ' << y;
    }
}

} // namespace stageloom
