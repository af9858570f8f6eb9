// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"
#include <QApplication>
#include <gtest/gtest.h>

using namespace stageloom;

TEST(Theme, numbersAreReadableOnEveryStageInBothThemes)
{
    for (const Theme* t : { &Theme::light(), &Theme::darkTheme() })
        for (int stage = 0; stage < Theme::kStageColours; ++stage)
            for (const QColor& fill : { t->stage(stage), t->stageForward(stage) })
                EXPECT_GE(Theme::contrast(t->textOn(fill), fill), 2.8) << stage << " " << t->dark;
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
