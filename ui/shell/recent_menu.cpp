// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/recent_menu.h"

#include "ui/state/recent_files.h"
#include "ui/state/workspace.h"
#include <QDir>
#include <QFileInfo>

namespace stageloom {

namespace {

// "plan.json" says little: the folder goes with it, short where it lies at home.
QString shownPath(const QString& path)
{
    const QString home = QDir::homePath() + u'/';
    return path.startsWith(home) ? QStringLiteral("~/") + path.mid(home.size()) : path;
}

} // namespace

RecentMenu::RecentMenu(const QString& title, Workspace& workspace, QWidget* parent)
    : QMenu(title, parent)
    , m_workspace(workspace)
{
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &RecentMenu::fill);
}

void RecentMenu::fill()
{
    clear();
    for (const QString& path : recent::files()) {
        if (!QFileInfo::exists(path))
            continue;
        // An ampersand in a name is no mnemonic.
        QAction* action = addAction(shownPath(path).replace(u'&', QStringLiteral("&&")), this,
            [this, path] { m_workspace.openFile(path); });
        action->setToolTip(path);
    }
    if (isEmpty()) {
        addAction(tr("Nothing was opened yet"))->setEnabled(false);
        return;
    }
    addSeparator();
    addAction(tr("Forget these files"), this, [] { recent::forget(); });
}

} // namespace stageloom
