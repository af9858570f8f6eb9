// SPDX-License-Identifier: GPL-3.0-or-later
#include "whole.h"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QStyle>
#include <QStyleOptionComboBox>

namespace stageloom {

namespace {

QString nameOf(const QWidget& widget)
{
    QString name = widget.accessibleName();
    if (name.isEmpty())
        name = widget.property("text").toString();
    return QStringLiteral("%1 “%2”").arg(
        QLatin1String(widget.metaObject()->className()), name.left(60));
}

bool isLaidOut(const QWidget& widget)
{
    const QWidget* parent = widget.parentWidget();
    return parent != nullptr && parent->layout() != nullptr && !widget.isWindow();
}

QString cut(const QLabel& label)
{
    if (label.sizePolicy().horizontalPolicy() == QSizePolicy::Ignored || label.text().isEmpty())
        return {};
    if (!label.wordWrap() && label.width() < label.minimumSizeHint().width())
        return QStringLiteral("is narrower than its text");
    if (label.wordWrap() && label.height() < label.heightForWidth(label.width()))
        return QStringLiteral("is lower than its text");
    return {};
}

QString cut(const QComboBox& box)
{
    QStyleOptionComboBox option;
    option.initFrom(&box);
    option.subControls = QStyle::SC_All;
    const QRect field = box.style()->subControlRect(
        QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
    return box.fontMetrics().horizontalAdvance(box.currentText()) > field.width()
        ? QStringLiteral("is narrower than its choice")
        : QString();
}

QString cut(const QAbstractSpinBox& box)
{
    const auto* line = box.findChild<QLineEdit*>();
    return box.fontMetrics().horizontalAdvance(box.text()) > line->width()
        ? QStringLiteral("is narrower than its number")
        : QString();
}

QString cut(const QWidget& widget)
{
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return cut(*label);
    if (const auto* box = qobject_cast<const QComboBox*>(&widget))
        return cut(*box);
    if (const auto* box = qobject_cast<const QAbstractSpinBox*>(&widget))
        return cut(*box);
    if (qobject_cast<const QPushButton*>(&widget) != nullptr
        && widget.width() < widget.minimumSizeHint().width())
        return QStringLiteral("is narrower than its word");
    return {};
}

QString misplaced(const QWidget& widget)
{
    if (!isLaidOut(widget))
        return {};
    const QWidget& parent = *widget.parentWidget();
    if (!parent.rect().contains(widget.geometry()))
        return QStringLiteral("leaves %1: from %2, %3 it is %4 × %5 of %6 × %7")
            .arg(nameOf(parent))
            .arg(widget.x())
            .arg(widget.y())
            .arg(widget.width())
            .arg(widget.height())
            .arg(parent.width())
            .arg(parent.height());
    for (const QObject* child : parent.children()) {
        const auto* other = qobject_cast<const QWidget*>(child);
        if (other != nullptr && other < &widget && other->isVisible() && !other->isWindow()
            && other->geometry().intersects(widget.geometry()))
            return QStringLiteral("overlaps %1").arg(nameOf(*other));
    }
    return {};
}

QString slides(const QWidget& widget, const QStringList& maySlide)
{
    const auto* area = qobject_cast<const QAbstractScrollArea*>(&widget);
    return area != nullptr && area->horizontalScrollBar()->maximum() > 0
            && area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff
            && !maySlide.contains(area->accessibleName())
        ? QStringLiteral("scrolls sideways")
        : QString();
}

} // namespace

QStringList complaintsAbout(QWidget& root, const QStringList& maySlide)
{
    QStringList all;
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->window() != root.window())
            continue;
        for (const QString& what : { cut(*widget), misplaced(*widget), slides(*widget, maySlide) })
            if (!what.isEmpty())
                all << QStringLiteral("%1 %2").arg(nameOf(*widget), what);
    }
    return all;
}

} // namespace stageloom
