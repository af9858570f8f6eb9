// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

namespace stageloom {

// Three steps for whoever opens the window for the first time; once closed it is not made again.
class FirstSteps : public QFrame {
    Q_OBJECT
public:
    explicit FirstSteps(QWidget* parent = nullptr);
    [[nodiscard]] static bool isWanted();
    void finish(); // closed, or done: the first border was dragged
};

} // namespace stageloom
