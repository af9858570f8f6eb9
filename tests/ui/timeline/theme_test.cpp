// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"
#include <QApplication>
#include <gtest/gtest.h>
#include <vector>

using namespace stageloom;

TEST(Theme, numbersAreReadableOnEveryFillInBothThemes)
{
    for (const Theme* t : { &Theme::light(), &Theme::darkTheme() }) {
        std::vector<QColor> fills { t->longer, t->shorter, t->accentSoft, t->track };
        fills.insert(fills.end(), t->idle.begin(), t->idle.end());
        fills.insert(fills.end(), t->memory.begin(), t->memory.end());
        for (int stage = 0; stage < Theme::kStageColours; ++stage)
            for (const QColor& fill : { t->stage(stage), t->stageForward(stage) }) {
                fills.push_back(fill);
                fills.push_back(Theme::mix(fill, t->panel, 0.62)); // the plan above its run
            }
        for (const QColor& fill : fills)
            EXPECT_GE(Theme::contrast(t->textOn(fill), fill), 4.5)
                << fill.name().toStdString() << " " << t->dark;
    }
}

// What a red-green-blind eye keeps of a colour is, roughly, its blue and its yellow.
TEST(Theme, longerAndShorterStayApartWithoutRedAndGreen)
{
    for (const Theme* t : { &Theme::light(), &Theme::darkTheme() }) {
        const auto yellow = [](const QColor& c) { return (c.red() + c.green()) / 2 - c.blue(); };
        EXPECT_GT(yellow(t->longer) - yellow(t->shorter), 120) << t->dark;
    }
}

TEST(Theme, contrastIsTheRatioOfTheStandard)
{
    EXPECT_NEAR(Theme::contrast(Qt::black, Qt::white), 21, 1e-9);
    EXPECT_NEAR(Theme::contrast(Qt::white, Qt::white), 1, 1e-9);
}

TEST(Theme, forwardLiesBetweenStageAndPanel)
{
    const Theme& t = Theme::light();
    // 55 % of #3B6FB6 over white, by hand: 255 - 0.55 × (255 - channel).
    EXPECT_EQ(t.stageForward(0), QColor(147, 176, 215));
}

TEST(Theme, changeIsToldOnceAndOnlyWhenItIsOne)
{
    int told = 0;
    const auto connection
        = QObject::connect(&themeNotifier(), &ThemeNotifier::changed, [&] { ++told; });
    applyTheme(*qApp, ThemeMode::Dark);
    EXPECT_TRUE(theme().dark);
    applyTheme(*qApp, ThemeMode::Dark);
    EXPECT_EQ(told, 1);
    applyTheme(*qApp, ThemeMode::Light);
    EXPECT_EQ(told, 2);
    QObject::disconnect(connection);
}
