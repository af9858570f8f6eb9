// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDoubleSpinBox>
#include <QSpinBox>

namespace stageloom {

// A whole number that a person may type in full: one beyond the limits is taken to the limit, and
// a line says so, where QSpinBox swallows the digit. Undo and redo go to the plan unless something
// is being typed here.
class NumberBox : public QSpinBox {
    Q_OBJECT
public:
    NumberBox(int from, int to, int now, QWidget* parent = nullptr);

protected:
    QValidator::State validate(QString& text, int& position) const override;
    void fixup(QString& text) const override;
    bool event(QEvent* event) override;
};

// A learning rate: any size, shown with as many digits as it has ("2e-07", "0.001"), stepped by a
// tenth of itself.
class RateBox : public QDoubleSpinBox {
    Q_OBJECT
public:
    explicit RateBox(QWidget* parent = nullptr);
    [[nodiscard]] QString textFromValue(double value) const override;
    [[nodiscard]] double valueFromText(const QString& text) const override;

protected:
    QValidator::State validate(QString& text, int& position) const override;
};

} // namespace stageloom
