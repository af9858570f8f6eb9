// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sim/gaps.h"
#include <QBrush>
#include <QColor>
#include <QFont>
#include <QObject>
#include <QString>
#include <array>

class QApplication;

namespace stageloom {

enum class ThemeMode { System, Light, Dark };

// Every colour, distance and font of the window. No colour literal lives outside theme.cpp.
struct Theme {
    static constexpr int kStageColours = 8; // from the ninth stage on they repeat with a pattern
    static constexpr int kGrid = 4, kPadding = 16, kGap = 12, kRadius = 8, kRowHeight = 30; // px

    bool dark = false;
    QColor ground, panel, line, text, muted, accent, good, warning, bad;
    QColor accentSoft; // selected rows, the version lane
    QColor hover; // a control under the mouse
    QColor longer, shorter; // than planned; apart for colour-blind eyes
    QColor track; // the empty part of a bar, the idle ground of a lane
    std::array<QColor, kStageColours> stages;
    static constexpr int kRunColours = 8; // from the ninth run on they repeat with a dash pattern
    std::array<QColor, kRunColours> runs; // told apart from each other and from stages
    std::array<QColor, 4> memory; // weights, optimizer, activations, buffers
    std::array<QColor, kIdleCauses> idle; // by IdleCause: each has one colour everywhere

    static const Theme& light();
    static const Theme& darkTheme();

    [[nodiscard]] QColor stage(int index) const; // full: backward, weight gradient, the strip
    [[nodiscard]] QColor stageForward(int index) const; // 55 % over the panel
    [[nodiscard]] QColor stageSoft(int index) const; // 18 %: the ground behind a stage
    // Full colour, with a pattern from the ninth stage on. For legends, strips, boxes.
    [[nodiscard]] QBrush stageBrush(int index) const;
    [[nodiscard]] static bool hasPattern(int stageIndex) { return stageIndex >= kStageColours; }
    // By the slot of a run among those shown. Stage colours mean stages everywhere, so runs have
    // their own.
    [[nodiscard]] QColor run(int slot) const;
    [[nodiscard]] static Qt::PenStyle runDash(int slot);
    [[nodiscard]] QColor idleColour(IdleCause cause) const
    {
        return idle[static_cast<std::size_t>(cause)];
    }
    // What `colour` is here, where it is a colour of either theme; itself where it is not.
    [[nodiscard]] QColor counterpart(const QColor& colour) const;
    [[nodiscard]] QColor textOn(const QColor& fill) const; // readable on a fill
    // `share` of `over` laid on `under`, opaque.
    [[nodiscard]] static QColor mix(const QColor& over, const QColor& under, double share);
    [[nodiscard]] static double contrast(const QColor& a, const QColor& b); // WCAG ratio, 1…21

    // At the desktop's usual size; scaled with it.
    [[nodiscard]] QFont documentFont() const; // 16 semibold
    [[nodiscard]] QFont titleFont() const; // 13 semibold: panel titles
    [[nodiscard]] QFont valueFont() const; // 13
    [[nodiscard]] QFont captionFont() const; // 11.5
    // Pixels as the desktop's font size asks for: 1 to 2 times those of the usual size.
    [[nodiscard]] static int scaled(double pixels);
    [[nodiscard]] QString styleSheet() const;
};

// The theme in force. GUI thread only.
const Theme& theme();

// Fusion, palette, style sheet and fonts; emits themeNotifier().changed() where the theme became
// another. System follows the desktop's palette as it was before the first call.
void applyTheme(QApplication& application, ThemeMode mode);
[[nodiscard]] ThemeMode themeMode();
// Looks at the desktop's palette anew; the theme follows it where the mode is System.
void followSystemTheme(QApplication& application);

class ThemeNotifier : public QObject {
    Q_OBJECT
signals:
    void changed();
};
ThemeNotifier& themeNotifier();

// Object names that the style sheet knows: setObjectName("panel") on a framed panel, "primary" on
// the page's one primary button, "caption", "title", "document", "value", "rail" on their widgets.

// An icon of the program's own set, in a colour of the theme.
QIcon themedIcon(const QString& name, const QColor& colour);

} // namespace stageloom
