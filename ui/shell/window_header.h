// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProgressBar>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace stageloom {

class ElidedLabel;
class Page;
class Workspace;

// Title and line of the page shown, and its buttons on the right.
class WindowHeader : public QWidget {
    Q_OBJECT
public:
    explicit WindowHeader(QWidget* parent = nullptr);
    // The page's buttons take the place of those before; Tab comes to them from `before`.
    void showActions(const Page& page, QWidget* before);
    void showWords(const Page& page);

private:
    ElidedLabel* m_title;
    QLabel* m_subtitle;
    QHBoxLayout* m_actions;
};

// The line under the header: how far the run is; without an end while its engine starts, or while
// something is read or looked for.
class ProgressLine : public QProgressBar {
    Q_OBJECT
public:
    explicit ProgressLine(const Workspace& workspace, QWidget* parent = nullptr);

private:
    void showWork();
    const Workspace& m_workspace;
};

// What takes longer than a moment can be stopped here, wherever it was begun; else hidden.
class StopButton : public QToolButton {
    Q_OBJECT
public:
    explicit StopButton(Workspace& workspace, QWidget* parent = nullptr);

private:
    void follow();
    const Workspace& m_workspace;
    QTimer m_patience;
};

} // namespace stageloom
