// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

namespace stageloom {

class Workspace;

// File > Open recent: what was opened last, the newest first; files that are gone are left out.
class RecentMenu : public QMenu {
    Q_OBJECT
public:
    RecentMenu(const QString& title, Workspace& workspace, QWidget* parent = nullptr);

private:
    void fill();
    Workspace& m_workspace;
};

} // namespace stageloom
