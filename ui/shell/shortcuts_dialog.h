// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <utility>
#include <vector>

class QMenuBar;

namespace stageloom {

// Keys and what they do, in the words that menus and widgets have for themselves.
using ShortcutLines = std::vector<std::pair<QString, QString>>;
struct ShortcutGroup {
    QString title;
    ShortcutLines lines;
};

// Every action of the menus that has a key, in the menus' order.
[[nodiscard]] ShortcutLines shortcutsOf(const QMenuBar& menus);

class ShortcutsDialog : public QDialog {
    Q_OBJECT
public:
    explicit ShortcutsDialog(const std::vector<ShortcutGroup>& groups, QWidget* parent = nullptr);
};

} // namespace stageloom
