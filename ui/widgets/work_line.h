// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;

namespace stageloom {

// Work that goes on: what it is, how far it is, and a button that stops it. Hidden while there is
// none.
class WorkLine : public QWidget {
    Q_OBJECT
public:
    explicit WorkLine(const QString& stopTip, QWidget* parent = nullptr);
    void showProgress(const QString& text, double share = -1); // 0…1; below 0: nobody knows
    void end() { hide(); }

signals:
    void stopAsked();

private:
    QLabel* m_text;
    QProgressBar* m_bar;
};

} // namespace stageloom
