// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plan_marks.h"

#include "ui/theme/theme.h"
#include <QCoreApplication>
#include <QPainter>
#include <cmath>

namespace stageloom {

namespace {

struct MarkWords {
    Q_DECLARE_TR_FUNCTIONS(stageloom::PlanMarks)
};

} // namespace

void paintMark(QPainter& painter, const QRectF& box, const QString& mark)
{
    const Theme& look = theme();
    const bool edited = mark.startsWith(u'B');
    painter.save();
    painter.setPen(QPen(edited ? look.accent : Theme::mix(look.muted, look.panel, 0.6), 1));
    painter.setBrush(edited ? look.accent : look.ground);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setPen(edited ? look.textOn(look.accent) : look.text);
    QFont font = look.captionFont();
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.drawText(box, Qt::AlignCenter, mark);
    painter.restore();
}

void MarkLabel::setMark(const QString& mark, const QString& tip)
{
    m_mark = mark;
    setToolTip(tip);
    setAccessibleName(mark);
    update();
}

void MarkLabel::paintEvent(QPaintEvent*)
{
    if (m_mark.isEmpty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    constexpr int kLetters = 2, kSide = 18; // characters; px
    if (m_mark.size() <= kLetters)
        return paintMark(
            painter, QRectF(width() - kSide, (height() - kSide) / 2, kSide, kSide), m_mark);
    painter.setFont(theme().captionFont());
    painter.setPen(theme().muted);
    painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, m_mark);
}

QString pointsText(double share)
{
    const double points = std::round(1000 * share) / 10;
    if (points == 0)
        return MarkWords::tr("0.0 pts");
    return MarkWords::tr("%1%2 pts")
        .arg(points < 0 ? QStringLiteral("−") : QStringLiteral("+"))
        .arg(std::abs(points), 0, 'f', 1);
}

// Text in a state's hue must be read: darker than the hue itself on a light ground.
QColor changeColour(double change, bool lowIsGood, double least)
{
    const Theme& look = theme();
    if (std::abs(change) < least)
        return look.muted;
    const QColor hue = (change < 0) == lowIsGood ? look.good : look.warning;
    return look.dark ? hue : Theme::mix(hue, look.text, 0.72);
}

} // namespace stageloom
