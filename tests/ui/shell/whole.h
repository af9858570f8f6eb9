// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QWidget;

namespace stageloom {

// What is cut, overlaps, or scrolls sideways in the visible part of a window, a sentence each.
// `maySlide`: accessible names of views that may scroll sideways.
QStringList complaintsAbout(QWidget& root, const QStringList& maySlide = {});

} // namespace stageloom
