// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/stage_fill.h"
#include "ui/theme/theme.h"
#include <QApplication>
#include <QImage>
#include <QPointF>
#include <cmath>
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

namespace {

// What a red-green-blind eye keeps of a colour: its lightness (CIE L*) and its blue and yellow.
QPointF seenWithoutRedAndGreen(const QColor& c)
{
    const double luminance = 0.05 * (Theme::contrast(c, Qt::black) - 1);
    return { 116 * std::cbrt(luminance) - 16, ((c.red() + c.green()) / 2.0 - c.blue()) / 4 };
}

double apart(const QColor& a, const QColor& b)
{
    const QPointF way = seenWithoutRedAndGreen(a) - seenWithoutRedAndGreen(b);
    return std::hypot(way.x(), way.y());
}

} // namespace

TEST(Theme, runsAreReadableLinesOnBothGrounds)
{
    for (const Theme* t : { &Theme::light(), &Theme::darkTheme() })
        for (const QColor& run : t->runs)
            for (const QColor& ground : { t->ground, t->panel })
                EXPECT_GE(Theme::contrast(run, ground), 3) << run.name().toStdString();
}

TEST(Theme, runsStayApartAlsoWithoutRedAndGreen)
{
    for (const Theme* t : { &Theme::light(), &Theme::darkTheme() })
        for (int a = 0; a < Theme::kRunColours; ++a)
            for (int b = 0; b < a; ++b)
                EXPECT_GE(apart(t->run(a), t->run(b)), 10) << a << " and " << b << " " << t->dark;
}

TEST(Theme, noCauseOfIdlingLooksLikeAStage)
{
    for (const Theme* t : { &Theme::light(), &Theme::darkTheme() })
        for (const QColor& cause : t->idle)
            for (const QColor& stage : t->stages) {
                const int way = std::abs(cause.red() - stage.red())
                    + std::abs(cause.green() - stage.green())
                    + std::abs(cause.blue() - stage.blue());
                EXPECT_GE(way, 48) << cause.name().toStdString();
            }
}

// One colour and one pattern over it, the same for every shade: solid, diagonal, grid.
TEST(Theme, stagesBeyondTheEighthAreToldApartByPattern)
{
    const QColor shade(90, 120, 150);
    const auto lightPixels = [&](int stage) {
        const QImage tile = stageFill(stage, shade).textureImage();
        int light = 0;
        for (int y = 0; y < tile.height(); ++y)
            for (int x = 0; x < tile.width(); ++x)
                light += tile.pixelColor(x, y) != shade ? 1 : 0;
        return light;
    };
    for (int stage = 0; stage < 8; ++stage) {
        EXPECT_EQ(stageFill(stage, shade).style(), Qt::SolidPattern);
        EXPECT_EQ(stageFill(stage + 8, shade).style(), Qt::TexturePattern);
        EXPECT_LT(lightPixels(stage + 8), lightPixels(stage + 16));
        EXPECT_EQ(theme().stageBrush(stage + 8).textureImage(),
            stageFill(stage + 8, theme().stage(stage)).textureImage());
    }
}

TEST(Theme, noRunHasTheColourOfAStage)
{
    for (const Theme* t : { &Theme::light(), &Theme::darkTheme() })
        for (const QColor& run : t->runs)
            for (const QColor& stage : t->stages) {
                const int way = std::abs(run.red() - stage.red())
                    + std::abs(run.green() - stage.green()) + std::abs(run.blue() - stage.blue());
                EXPECT_GE(way, 48) << run.name().toStdString() << " " << stage.name().toStdString();
            }
}

TEST(Theme, fromTheNinthRunOnThePatternTellsThemApart)
{
    const Theme& t = Theme::light();
    EXPECT_EQ(t.run(8), t.run(0));
    EXPECT_EQ(Theme::runDash(7), Qt::SolidLine);
    EXPECT_NE(Theme::runDash(8), Theme::runDash(0));
    EXPECT_NE(Theme::runDash(16), Theme::runDash(8));
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
