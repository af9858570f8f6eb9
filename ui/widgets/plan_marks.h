// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <QWidget>

class QPainter;

namespace stageloom {

// How the plans that are compared are marked everywhere on the page: "B" is the edited one in the
// accent, "A" the pinned one in grey.
void paintMark(QPainter& painter, const QRectF& box, const QString& mark);
// The mark at the right end of a column's head; a longer word is written as it is.
class MarkLabel : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    void setMark(const QString& mark, const QString& tip);
    [[nodiscard]] const QString& mark() const { return m_mark; }
    [[nodiscard]] QSize sizeHint() const override { return { 20, 20 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_mark;
};

QString pointsText(double share); // "−26.6 pts"
// Of a difference: text where it is below `least` (of none to speak of), else good or warning.
QColor changeColour(double change, bool lowIsGood, double least);

} // namespace stageloom
