// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractButton;
class QComboBox;
class QSlider;
class QSplitter;
class QTabWidget;

namespace stageloom {

// Gives a control what it showed when the window was last open, and keeps in the settings what a
// person makes of it. Call it when the control is built and connected: it then tells its owner.
void remember(QComboBox& box, const QString& key);
void remember(QAbstractButton& button, const QString& key); // checkable
void remember(QSlider& slider, const QString& key);
void remember(QSplitter& splitter, const QString& key);
void remember(QTabWidget& tabs, const QString& key);

} // namespace stageloom
