// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/number_box.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QToolTip>

namespace stageloom {

namespace {

constexpr int kMostDigits = 12; // typed; more is a slip of the hand

} // namespace

NumberBox::NumberBox(int from, int to, int now, QWidget* parent)
    : QSpinBox(parent)
{
    setRange(from, to);
    setValue(now);
}

QValidator::State NumberBox::validate(QString& text, int& position) const
{
    const QValidator::State state = QSpinBox::validate(text, position);
    if (state != QValidator::Invalid)
        return state;
    bool whole = false;
    locale().toLongLong(text.trimmed(), &whole);
    return whole && text.size() <= kMostDigits ? QValidator::Intermediate : QValidator::Invalid;
}

void NumberBox::fixup(QString& text) const
{
    bool whole = false;
    const qlonglong typed = locale().toLongLong(text.trimmed(), &whole);
    if (!whole || (typed >= minimum() && typed <= maximum())) {
        QSpinBox::fixup(text);
        return;
    }
    const int limit = typed > maximum() ? maximum() : minimum();
    text = textFromValue(limit);
    QToolTip::showText(mapToGlobal(QPoint(0, height())),
        typed > maximum() ? tr("%1 is the most here.").arg(text)
                          : tr("%1 is the least here.").arg(text),
        const_cast<NumberBox*>(this));
}

bool NumberBox::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (lineEdit()->text() == textFromValue(value())
            && (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo))) {
            event->ignore();
            return false;
        }
    }
    return QSpinBox::event(event);
}

RateBox::RateBox(QWidget* parent)
    : QDoubleSpinBox(parent)
{
    setDecimals(15); // what is kept, not what is shown
    setRange(0, 10);
    setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
}

QString RateBox::textFromValue(double value) const
{
    return locale().toString(value, 'g', 6);
}

double RateBox::valueFromText(const QString& text) const
{
    return locale().toDouble(text.trimmed());
}

QValidator::State RateBox::validate(QString& text, int&) const
{
    bool number = false;
    const double value = locale().toDouble(text.trimmed(), &number);
    if (number)
        return value >= minimum() && value <= maximum() ? QValidator::Acceptable
                                                        : QValidator::Intermediate;
    for (const QChar c : text) // on the way to "1e-4"
        if (!c.isDigit() && !QStringLiteral("eE+-.,").contains(c))
            return QValidator::Invalid;
    return QValidator::Intermediate;
}

} // namespace stageloom
