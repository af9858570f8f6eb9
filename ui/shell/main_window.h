// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include <QMainWindow>

class QLabel;
class QStackedWidget;

namespace stageloom {

class MessageBar;
class Page;
class ElidedLabel;
class PlanPage;
class Rail;
class WindowHeader;

// Rail, header, pages, menus. What happens is in the workspace; what is shown, in the pages.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(Workspace& workspace, QWidget* parent = nullptr);
    void showPage(int index);
    [[nodiscard]] int pageCount() const;
    static constexpr int kModel = 0, kTopology = 1, kPlan = 2, kTrain = 3, kRuns = 4;

protected:
    bool event(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void buildPages();
    void buildMenus();
    void buildFileMenu();
    void buildPanelsMenu(QMenu& view);
    void addPage(Page* page, const QString& icon, const QString& word); // with a letter for menus
    void showHeader();
    void showStatus();
    void openDialog();
    bool save();
    bool saveAs();
    bool mayCloseDocument();
    void showShortcuts();
    void showAbout();

    Workspace& m_workspace;
    Rail* m_rail;
    QStackedWidget* m_pages;
    PlanPage* m_planPage = nullptr;
    MessageBar* m_message;
    WindowHeader* m_header;
    QLabel* m_statusRight;
    ElidedLabel* m_statusLeft;
    bool m_closing = false; // once the run that is starting has stopped
    int m_discarded = -1; // revision whose edits need no second question while it closes
    QStringList m_words; // of the pages, with their letters for menus
};

} // namespace stageloom
