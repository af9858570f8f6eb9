// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell_fixture.h"

#include <QAbstractButton>
#include <QDir>
#include <QLabel>
#include <QSettings>
#include <QStandardPaths>

namespace stageloom {

namespace {

class FirstStartTest : public ShellTest {
protected:
    void SetUp() override
    {
        QSettings().clear();
        const QDir data(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation));
        for (const char* left : { "untitled.plan.json", ".untitled.plan.json.autosave" })
            QFile::remove(data.filePath(QStringLiteral("stageloom/") + QLatin1String(left)));
    }
    void TearDown() override { QSettings().clear(); }
    QWidget* hint() { return window->findChild<QWidget*>(QStringLiteral("first steps")); }
};

} // namespace

TEST_F(FirstStartTest, theSamplePlanAndThreeStepsAreThere)
{
    open({ 1440, 900 });
    workspace->restore();
    ASSERT_TRUE(waitFor([this] { return workspace->document.isOpen(); }));
    EXPECT_EQ(workspace->document.plan().topology.name.substr(0, 3), "cpu");
    EXPECT_FALSE(workspace->document.isDirty());
    ASSERT_NE(hint(), nullptr);
    EXPECT_TRUE(hint()->isVisible());
    const auto steps = hint()->findChildren<QLabel*>();
    int numbered = 0;
    for (const QLabel* step : steps)
        for (const char* number : { "1", "2", "3" })
            numbered += step->text() == QLatin1String(number) ? 1 : 0;
    EXPECT_EQ(numbered, 3);
}

TEST_F(FirstStartTest, aClosedHintStaysClosed)
{
    open({ 1440, 900 });
    openPlan(workersPlan());
    ASSERT_NE(hint(), nullptr);
    auto* close = hint()->findChild<QAbstractButton*>();
    ASSERT_NE(close, nullptr);
    QTest::mouseClick(close, Qt::LeftButton);
    EXPECT_FALSE(hint()->isVisible());
    window.reset();
    open({ 1440, 900 }); // as the next start does
    EXPECT_EQ(hint(), nullptr);
}

} // namespace stageloom
