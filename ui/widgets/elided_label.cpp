// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/elided_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

namespace stageloom {

ElidedLabel::ElidedLabel(const char* role, QWidget* parent)
    : QLabel(parent)
{
    setObjectName(QLatin1String(role));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void ElidedLabel::setWords(const QString& words)
{
    if (words == m_words)
        return;
    m_words = words;
    setAccessibleName(words);
    update();
}

void ElidedLabel::setTip(const QString& tip)
{
    m_tip = tip;
}

bool ElidedLabel::isCut() const
{
    return fontMetrics().horizontalAdvance(m_words) > contentsRect().width();
}

QSize ElidedLabel::sizeHint() const
{
    return { fontMetrics().horizontalAdvance(m_words) + 1, QLabel::sizeHint().height() };
}

QSize ElidedLabel::minimumSizeHint() const
{
    return { 0, QLabel::minimumSizeHint().height() }; // of a line, and the style's padding
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QRect room = contentsRect();
    style()->drawItemText(&painter, room, static_cast<int>(alignment()), palette(), isEnabled(),
        fontMetrics().elidedText(m_words, Qt::ElideRight, room.width()), foregroundRole());
}

bool ElidedLabel::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QLabel::event(event);
    const QString tip = isCut() ? m_words : m_tip;
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip, this);
    return true;
}

} // namespace stageloom
