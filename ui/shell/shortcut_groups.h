// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/shortcuts_dialog.h"

namespace stageloom {

// What Help > Shortcuts shows: the menus' keys, then each part's in its own words.
[[nodiscard]] std::vector<ShortcutGroup> allShortcuts(const QMenuBar& menus);

} // namespace stageloom
