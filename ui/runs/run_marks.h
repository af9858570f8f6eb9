// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

class QPainter;
class QRectF;

namespace stageloom {

// A run's mark in its colour, the shape that its curves have too: ● ■ ▲ ◆ by its slot.
void paintRunMark(QPainter& painter, const QRectF& box, int slot);
QIcon runMarkIcon(int slot); // with a stroke of its line, for legends

} // namespace stageloom
