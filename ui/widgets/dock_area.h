// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDockWidget>
#include <QMainWindow>

class QToolButton;

namespace stageloom {

class Panel;

// A panel that can be taken out of the page into a window of its own (another screen), moved above
// or below its neighbours, and put back. The panel's head is its title bar.
class PanelDock : public QDockWidget {
    Q_OBJECT
public:
    PanelDock(Panel* panel, const QString& name);

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void becomeWindow(bool floating);
    [[nodiscard]] bool isOut() const;
    void showPlace(); // what the button does now
    void recolour();
    QToolButton* m_button;
};

// A column of a page whose panels a person may arrange. The arrangement is kept between starts
// under the area's name. Owned by its page.
class DockArea : public QMainWindow {
    Q_OBJECT
public:
    explicit DockArea(const QString& name, QWidget* parent = nullptr);
    ~DockArea() override;
    // Below what was added before; `name` is what the arrangement is kept under.
    PanelDock* add(Panel* panel, const QString& name);
    // A part that stays in its place, without a frame or a head.
    void addFixed(QWidget* part, const QString& name);
    // How the first arrangement shares the height that is left, a weight for each part.
    void share(const QList<int>& weights);
    // After the last panel: what a person left, where something was left.
    void restore();
    // As it was made, every panel in its place.
    void reset();
    // Show or hide a panel, one action each. Owned by the docks.
    [[nodiscard]] QList<QAction*> toggles() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void place(QDockWidget* dock, const QString& name);
    void save() const;
    QList<PanelDock*> m_docks;
    QList<QDockWidget*> m_parts;
    QList<int> m_weights;
    QByteArray m_made; // the arrangement before a person changed it
};

} // namespace stageloom
