// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/shortcuts_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QMenu>
#include <QMenuBar>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace stageloom {

namespace {

void collect(const QList<QAction*>& actions, ShortcutLines& lines)
{
    for (const QAction* action : actions) {
        if (action->menu() != nullptr) {
            collect(action->menu()->actions(), lines);
            continue;
        }
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts())
            keys << key.toString(QKeySequence::NativeText);
        if (keys.isEmpty())
            continue;
        // Undo and Redo name the edit; here they stand for all of them.
        const QString said = action->property("plain words").toString();
        lines.emplace_back(keys.join(QStringLiteral(" · ")),
            QString(said.isEmpty() ? action->text() : said).remove(u'&').remove(u'…'));
    }
}

} // namespace

ShortcutLines shortcutsOf(const QMenuBar& menus)
{
    ShortcutLines lines;
    collect(menus.actions(), lines);
    return lines;
}

ShortcutsDialog::ShortcutsDialog(const std::vector<ShortcutGroup>& groups, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Shortcuts"));
    resize(620, 620);
    QString text = QStringLiteral("<table cellpadding=3>");
    for (const ShortcutGroup& group : groups) {
        text += QStringLiteral("<tr><td colspan=2><b>%1</b></td></tr>")
                    .arg(group.title.toHtmlEscaped());
        for (const auto& [keys, what] : group.lines)
            text += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                        .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
    }
    auto* page = new QTextBrowser;
    page->setAccessibleName(windowTitle());
    page->setFrameShape(QFrame::NoFrame);
    page->setHtml(text + QStringLiteral("</table>"));
    auto* close = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(close, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(page, 1);
    layout->addWidget(close);
}

} // namespace stageloom
