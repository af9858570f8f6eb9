// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

namespace stageloom {

// Only what Fusion and the palette cannot say. %name% is replaced by the theme's colour.
QString Theme::styleSheet() const
{
    QString sheet = QStringLiteral(R"(
QFrame#panel { background: %panel%; border: 1px solid %line%; border-radius: 8px; }
QWidget#rail { background: %panel%; border: none; border-right: 1px solid %line%; }
QWidget#header { background: %panel%; border: none; border-bottom: 1px solid %line%; }
QStatusBar { background: %panel%; border-top: 1px solid %line%; color: %muted%; }
QStatusBar::item { border: none; }
QLabel#document { font-size: 16px; font-weight: 600; }
QLabel#title { font-size: 13px; font-weight: 600; }
QLabel#value { font-size: 13px; font-weight: 600; }
QLabel#caption { font-size: 12px; color: %muted%; }
QPushButton { background: %panel%; border: 1px solid %line%; border-radius: 6px; padding: 5px 14px; min-height: 18px; }
QPushButton:hover { background: %hover%; }
QPushButton:pressed, QPushButton:checked { background: %soft%; border-color: %line%; font-weight: 600; }
QPushButton:focus { border-color: %accent%; }
QPushButton:disabled { color: %faint%; }
QPushButton#primary { background: %accent%; color: %onaccent%; border-color: %accent%; font-weight: 600; padding: 5px 30px; }
QPushButton#primary:hover { background: %accenthover%; }
QPushButton#primary:focus { border-color: %text%; }
QPushButton#primary:disabled { background: %line%; border-color: %line%; color: %muted%; }
QToolButton { border: none; border-radius: 6px; padding: 4px; }
QToolButton:hover { background: %hover%; }
QToolButton:checked { background: %soft%; }
QToolButton:focus { border: 1px solid %accent%; }
QLineEdit, QComboBox, QAbstractSpinBox { background: %panel%; border: 1px solid %line%; border-radius: 6px; padding: 3px 8px; min-height: 20px; }
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus { border-color: %accent%; }
QComboBox::drop-down { border: none; width: 20px; }
QAbstractItemView { background: %panel%; border: none; outline: none; selection-background-color: %soft%; selection-color: %text%; gridline-color: %line%; }
QTableView::item, QListView::item, QTreeView::item { padding: 4px 8px; }
QHeaderView::section { background: %panel%; color: %muted%; border: none; border-bottom: 1px solid %line%; padding: 6px 8px; }
QTabWidget::pane { border: none; }
QSplitter::handle { background: transparent; }
QScrollArea { border: none; background: transparent; }
QToolTip { background: %panel%; color: %text%; border: 1px solid %line%; padding: 6px; }
QProgressBar { background: %track%; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: %accent%; border-radius: 2px; }
QMenu { background: %panel%; border: 1px solid %line%; padding: 4px; }
QMenu::item { padding: 6px 24px; border-radius: 4px; }
QMenu::item:selected { background: %soft%; color: %text%; }
QMenu::separator { height: 1px; background: %line%; margin: 4px 8px; }
)");
    const std::pair<const char*, QColor> names[] = { { "%panel%", panel }, { "%line%", line },
        { "%text%", text }, { "%muted%", muted }, { "%accent%", accent }, { "%soft%", accentSoft },
        { "%hover%", hover }, { "%track%", track }, { "%onaccent%", textOn(accent) },
        { "%accenthover%", mix(accent, text, 0.88) }, { "%faint%", mix(muted, panel, 0.6) } };
    for (const auto& [name, colour] : names)
        sheet.replace(QLatin1String(name), colour.name());
    return sheet;
}

} // namespace stageloom
