// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QButtonGroup;

namespace stageloom {

// One of a few choices, side by side in a frame; the arrow keys go from one to the next.
class Segments : public QFrame {
    Q_OBJECT
public:
    Segments(const QString& name, const QStringList& choices, QWidget* parent = nullptr);
    [[nodiscard]] int current() const;
    void setCurrent(int choice); // emits where it is another
    void setAvailable(int choice, bool available, const QString& tip = {});
    [[nodiscard]] QWidget* button(int choice) const;

signals:
    void chosen(int choice);

private:
    QButtonGroup* m_group;
};

} // namespace stageloom
