// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QHash>
#include <QPixmap>
#include <QStaticText>

namespace stageloom {

struct Theme;

// What painting prepares once and uses in every frame. Belongs to a widget, so that no picture and
// no font outlives the application. GUI thread only.
class TimelineInk {
public:
    // The idle ground of a lane, as a tile: a brush with a pattern costs more than all boxes on it.
    const QPixmap& hatch(const Theme& theme, double ratio);
    // A number is shaped once and drawn in every frame.
    const QStaticText& number(const QString& text, const QFont& font);

private:
    QPixmap m_hatch;
    const Theme* m_hatchOf = nullptr;
    double m_ratio = 0;
    QHash<QString, QStaticText> m_shaped; // by pixel size and text
    QString m_family;
};

} // namespace stageloom
