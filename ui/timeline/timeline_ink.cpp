// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_ink.h"

#include "ui/theme/theme.h"
#include <QPainter>
#include <utility>

namespace stageloom {

const QPixmap& TimelineInk::hatch(const Theme& theme, double ratio)
{
    if (m_hatchOf == &theme && m_ratio == ratio)
        return m_hatch;
    constexpr int kSide = 8;
    m_hatch = QPixmap((QSizeF(kSide, kSide) * ratio).toSize());
    m_hatch.setDevicePixelRatio(ratio);
    m_hatch.fill(Theme::mix(theme.track, theme.panel, 0.7));
    QPainter painter(&m_hatch);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::mix(theme.line, theme.track, 0.8), 1));
    for (const int shift : { -kSide, 0, kSide }) // the corners too: tiles meet without a seam
        painter.drawLine(QPointF(shift, kSide), QPointF(shift + kSide, 0));
    m_hatchOf = &theme;
    m_ratio = ratio;
    return m_hatch;
}

const QStaticText& TimelineInk::number(const QString& text, const QFont& font)
{
    constexpr qsizetype kMost = 20'000;
    if (m_family != font.family() || m_shaped.size() > kMost) {
        m_shaped.clear();
        m_family = font.family();
    }
    const QString key = QChar(static_cast<char16_t>(font.pixelSize())) + text;
    auto at = m_shaped.find(key);
    if (at == m_shaped.end()) {
        at = m_shaped.insert(key, QStaticText(text));
        at->setTextFormat(Qt::PlainText);
        at->setPerformanceHint(QStaticText::AggressiveCaching);
        at->prepare({}, font);
    }
    return *at;
}

} // namespace stageloom
