// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include "ui/theme/stage_fill.h"
#include <QApplication>
#include <QFile>
#include <QFontInfo>
#include <QIcon>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QSvgRenderer>
#include <algorithm>
#include <cmath>
#include <vector>

// Qt's macro declares a function at global scope, so it is called in one there. Without the call
// the linker drops the resources of a static library.
static void useIcons()
{
    Q_INIT_RESOURCE(icons);
}

namespace stageloom {

namespace {

struct Current {
    const Theme* theme = &Theme::light();
    ThemeMode mode = ThemeMode::System;
    bool systemKnown = false, systemDark = false, fontKnown = false;
    double scale = 1; // of fonts: the desktop's size over kUsualPixels
};

Current& current()
{
    static Current instance;
    return instance;
}

constexpr double kUsualPixels = 13; // of valueFont()

Theme makeLight()
{
    Theme t;
    t.ground = QColor(0xF6F7F9);
    t.panel = QColor(0xFFFFFF);
    t.line = QColor(0xDDE1E7);
    t.text = QColor(0x1D2430);
    t.muted = QColor(0x647084);
    t.accent = QColor(0x2F62B0);
    t.good = QColor(0x2E8B57);
    t.warning = QColor(0xB7791F);
    t.bad = QColor(0xC0392B);
    t.accentSoft = QColor(0xE6EDF8);
    t.hover = QColor(0xF0F2F5);
    t.longer = QColor(0xC2570C);
    t.shorter = QColor(0x1F6FB2);
    t.track = QColor(0xEEF0F3);
    t.stages = { QColor(0x3B6FB6), QColor(0xD9822B), QColor(0x2E9A76), QColor(0xB5548F),
        QColor(0x7A6BC0), QColor(0x8A6D3B), QColor(0x3A9DB5), QColor(0xA34A4A) };
    t.runs = { QColor(0x1D35A6), QColor(0xA93008), QColor(0x1F6E52), QColor(0x7A0F70),
        QColor(0x412705), QColor(0x7C84A0), QColor(0x00273C), QColor(0x924EF7) };
    t.memory = { QColor(0x4A5874), QColor(0x8695AE), QColor(0xB9C3D5), QColor(0xDDE3EC) };
    return t;
}

Theme makeDark()
{
    Theme t;
    t.dark = true;
    t.ground = QColor(0x15181D);
    t.panel = QColor(0x1D2127);
    t.line = QColor(0x30363F);
    t.text = QColor(0xE6E9EE);
    t.muted = QColor(0x98A3B3);
    t.accent = QColor(0x7FA8EE);
    t.good = QColor(0x5BC48D);
    t.warning = QColor(0xE0B04E);
    t.bad = QColor(0xF07F72);
    t.accentSoft = QColor(0x263247);
    t.hover = QColor(0x272C34);
    t.longer = QColor(0xF59A4A);
    t.shorter = QColor(0x5FB0F0);
    t.track = QColor(0x262A31);
    t.stages = { QColor(0x6C9BE0), QColor(0xF0A656), QColor(0x58C39C), QColor(0xDB86B7),
        QColor(0xA79BE6), QColor(0xC2A472), QColor(0x6CC4DA), QColor(0xD98080) };
    t.runs = { QColor(0x5172FF), QColor(0xE7594E), QColor(0xABF1AB), QColor(0xFA5AA3),
        QColor(0xF2D043), QColor(0x10BFFE), QColor(0xE8DCF1), QColor(0x9760BD) };
    t.memory = { QColor(0xB3BFD6), QColor(0x78869E), QColor(0x515E73), QColor(0x3A4452) };
    return t;
}

// Neutral hues, so that no cause looks like a stage: slate to paper, one of them sand, one steel;
// told apart by their lightness too.
Theme withIdleColours(Theme t)
{
    if (t.dark)
        t.idle = { QColor(0xA4AEBD), QColor(0x7C8799), QColor(0x8C7B58), QColor(0x557786),
            QColor(0x5B6472), QColor(0x6C6256), QColor(0x434A56) };
    else
        t.idle = { QColor(0x4D5666), QColor(0x78849A), QColor(0xAA9C80), QColor(0x7397A6),
            QColor(0x9AA3B0), QColor(0xCABFAC), QColor(0xD6DAE1) };
    return t;
}

QPalette paletteOf(const Theme& t)
{
    QPalette p;
    p.setColor(QPalette::Window, t.ground);
    p.setColor(QPalette::Base, t.panel);
    p.setColor(QPalette::AlternateBase, t.ground);
    p.setColor(QPalette::Button, t.panel);
    p.setColor(QPalette::ToolTipBase, t.panel);
    for (auto role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText,
             QPalette::ToolTipText, QPalette::BrightText })
        p.setColor(role, t.text);
    p.setColor(QPalette::PlaceholderText, t.muted);
    p.setColor(QPalette::Highlight, t.accent);
    p.setColor(QPalette::HighlightedText, t.textOn(t.accent));
    p.setColor(QPalette::Link, t.accent);
    p.setColor(QPalette::LinkVisited, t.accent);
    p.setColor(QPalette::Light, t.panel);
    p.setColor(QPalette::Midlight, t.hover);
    p.setColor(QPalette::Mid, t.line);
    p.setColor(QPalette::Dark, t.line);
    for (auto role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText })
        p.setColor(QPalette::Disabled, role, Theme::mix(t.muted, t.panel, 0.6));
    return p;
}

// Fusion, but for icons on a dialog's stock buttons: a red cross on Cancel says danger.
class QuietStyle : public QProxyStyle {
public:
    QuietStyle()
        : QProxyStyle(QStringLiteral("Fusion"))
    {
    }
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
        QStyleHintReturn* data) const override
    {
        return hint == SH_DialogButtonBox_ButtonsHaveIcons
            ? 0
            : QProxyStyle::styleHint(hint, option, widget, data);
    }
};

QFont sized(double pixels, bool semibold)
{
    QFont font = QApplication::font();
    font.setPixelSize(Theme::scaled(pixels));
    font.setWeight(semibold ? QFont::DemiBold : QFont::Normal);
    return font;
}

double luminance(const QColor& c)
{
    const auto linear
        = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

} // namespace

const Theme& Theme::light()
{
    static const Theme instance = withIdleColours(makeLight());
    return instance;
}

const Theme& Theme::darkTheme()
{
    static const Theme instance = withIdleColours(makeDark());
    return instance;
}

QColor Theme::mix(const QColor& over, const QColor& under, double share)
{
    const auto blend = [share](int a, int b) {
        return static_cast<int>(std::lround(a * share + b * (1 - share)));
    };
    return QColor(blend(over.red(), under.red()), blend(over.green(), under.green()),
        blend(over.blue(), under.blue()));
}

double Theme::contrast(const QColor& a, const QColor& b)
{
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

QColor Theme::stage(int index) const
{
    return stages[static_cast<std::size_t>(std::abs(index)) % kStageColours];
}

QColor Theme::stageForward(int index) const
{
    return mix(stage(index), panel, 0.55);
}

QColor Theme::stageSoft(int index) const
{
    return mix(stage(index), panel, 0.18);
}

QBrush Theme::stageBrush(int index) const
{
    return stageFill(index, stage(index));
}

QColor Theme::run(int slot) const
{
    return runs[static_cast<std::size_t>(std::abs(slot)) % kRunColours];
}

Qt::PenStyle Theme::runDash(int slot)
{
    constexpr Qt::PenStyle kDashes[]
        = { Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine };
    return kDashes[static_cast<std::size_t>(std::abs(slot) / kRunColours) % std::size(kDashes)];
}

QColor Theme::counterpart(const QColor& colour) const
{
    const auto all = [](const Theme& t) {
        std::vector<QColor> colours { t.accent, t.good, t.warning, t.bad, t.text, t.muted, t.longer,
            t.shorter };
        colours.insert(colours.end(), t.stages.begin(), t.stages.end());
        colours.insert(colours.end(), t.runs.begin(), t.runs.end());
        return colours;
    };
    const auto mine = all(*this);
    const auto theirs = all(dark ? light() : darkTheme());
    for (std::size_t i = 0; i < theirs.size(); ++i)
        if (theirs[i] == colour)
            return mine[i];
    return colour;
}

QColor Theme::textOn(const QColor& fill) const
{
    // The theme's own paper or ink where it reads well (4.5 : 1, WCAG AA), paper first: backward
    // and forward then differ in their numbers as well as in their ground. On middling fills
    // neither does; pure black or white always does.
    constexpr double kReadable = 4.5;
    const QColor paper = dark ? ground : panel;
    for (const QColor& own : { paper, text })
        if (contrast(own, fill) >= kReadable)
            return own;
    return contrast(Qt::white, fill) >= contrast(Qt::black, fill) ? Qt::white : Qt::black;
}

int Theme::scaled(double pixels)
{
    return static_cast<int>(std::lround(pixels * current().scale));
}

QFont Theme::documentFont() const
{
    return sized(16, true);
}

QFont Theme::titleFont() const
{
    return sized(13, true);
}

QFont Theme::valueFont() const
{
    return sized(13, false);
}

QFont Theme::captionFont() const
{
    return sized(11.5, false);
}

const Theme& theme()
{
    return *current().theme;
}

ThemeMode themeMode()
{
    return current().mode;
}

ThemeNotifier& themeNotifier()
{
    static ThemeNotifier notifier;
    return notifier;
}

void followSystemTheme(QApplication& application)
{
    if (current().mode != ThemeMode::System)
        return;
    QApplication::setPalette(QPalette()); // the desktop's own shows through
    current().systemKnown = false;
    applyTheme(application, ThemeMode::System);
}

void applyTheme(QApplication& application, ThemeMode mode)
{
    useIcons();
    Current& now = current();
    if (!now.systemKnown) {
        // Larger than usual is a wish; smaller would undo the sizes that were chosen here. The
        // first call comes before any font is set.
        if (!now.fontKnown)
            now.scale
                = std::clamp(QFontInfo(QApplication::font()).pixelSize() / kUsualPixels, 1.0, 2.0);
        now.fontKnown = true;
        now.systemDark = QApplication::palette().color(QPalette::Window).lightness() < 128;
        now.systemKnown = true;
    }
    const bool dark = mode == ThemeMode::Dark || (mode == ThemeMode::System && now.systemDark);
    const Theme* next = dark ? &Theme::darkTheme() : &Theme::light();
    const bool other = next != now.theme;
    now.theme = next;
    now.mode = mode;
    QApplication::setStyle(new QuietStyle);
    QApplication::setFont(next->valueFont());
    QApplication::setPalette(paletteOf(*next));
    application.setStyleSheet(next->styleSheet());
    if (other)
        emit themeNotifier().changed();
}

QIcon themedIcon(const QString& name, const QColor& colour)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QByteArray drawing = file.readAll();
    drawing.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(drawing);
    constexpr int kSize = 96; // px: sharp on dense screens too
    QPixmap picture(kSize, kSize);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    renderer.render(&painter);
    return QIcon(picture);
}

} // namespace stageloom
