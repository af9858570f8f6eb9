// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

namespace stageloom {

// Only what Fusion and the palette cannot say. %name% is replaced by the theme's
// colour, %12px% by that size as the desktop's font asks for.
QString Theme::styleSheet() const
{
    QString sheet = QStringLiteral(R"(
QFrame#panel, stageloom--PanelDock { background: %panel%; border: 1px solid %line%; border-radius: 8px; }
QWidget#rail { background: %panel%; border: none; border-right: 1px solid %line%; }
QWidget#header { background: %panel%; border: none; border-bottom: 1px solid %line%; }
QStatusBar { background: %panel%; border-top: 1px solid %line%; color: %muted%; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: %muted%; font-size: %12px%; padding: 3px 22px; }
QMenuBar { background: %panel%; border-bottom: 1px solid %line%; padding: 0 8px; }
QMenuBar::item { padding: 5px 10px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: %soft%; }
QFrame[objectName="first steps"] { background: %soft%; border: 1px solid %line%; border-radius: 8px; }
QLabel#step { background: %accent%; color: %onaccent%; border-radius: 10px; font-size: %12px%; font-weight: 600; }
QFrame#message { background: %warningsoft%; border: 1px solid %warning%; border-radius: 8px; }
QFrame[objectName="done message"] { background: %soft%; border: 1px solid %line%; border-radius: 8px; }
QProgressBar#line { background: transparent; border: none; border-radius: 0; min-height: 2px; max-height: 2px; }
QLabel#document { font-size: %16px%; font-weight: 600; }
QLabel#title { font-size: %13px%; font-weight: 600; }
QLabel#value { font-size: %13px%; font-weight: 600; }
QLabel#caption { font-size: %12px%; color: %muted%; }
QPushButton { background: %panel%; border: 1px solid %line%; border-radius: 6px; padding: 5px 14px; min-height: 18px; }
QPushButton:hover { background: %hover%; }
QPushButton:pressed, QPushButton:checked { background: %soft%; border-color: %line%; font-weight: 600; }
QPushButton:focus { border-color: %accent%; }
QPushButton:disabled { color: %faint%; }
QPushButton#primary { background: %accent%; color: %onaccent%; border-color: %accent%; font-weight: 600; padding: 5px 30px; }
QPushButton#primary:hover { background: %accenthover%; }
QPushButton#primary:focus { border-color: %text%; }
QPushButton#primary:disabled { background: %line%; border-color: %line%; color: %muted%; }
QFrame#segments { background: %panel%; border: 1px solid %line%; border-radius: 6px; }
QPushButton#segment { border-color: transparent; padding: 3px 5px; font-size: %12px%; color: %muted%; }
QPushButton#segment:checked { border-color: transparent; color: %text%; }
QPushButton#segment:focus { border-color: %accent%; }
QPushButton#segment:disabled { color: %faint%; }
QWidget#rail QToolButton { font-size: %12px%; padding: 2px; }
QToolButton { border: none; border-radius: 6px; padding: 4px; }
QToolButton:hover { background: %hover%; }
QToolButton:checked { background: %soft%; }
QToolButton:focus { border: 1px solid %accent%; }
QLineEdit, QComboBox, QAbstractSpinBox { background: %panel%; border: 1px solid %line%; border-radius: 6px; padding: 3px 8px; min-height: 20px; }
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus { border-color: %accent%; }
QComboBox { padding-right: 22px; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url(:/icons/chevron-down.svg); width: 10px; height: 10px; }
QAbstractSpinBox { padding-right: 20px; }
QAbstractSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right; width: 20px; height: 14px; border: none; }
QAbstractSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right; width: 20px; height: 14px; border: none; }
QAbstractSpinBox::up-arrow { image: url(:/icons/chevron-up.svg); width: 9px; height: 9px; }
QAbstractSpinBox::down-arrow { image: url(:/icons/chevron-down.svg); width: 9px; height: 9px; }
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled { color: %faint%; }
QAbstractItemView { background: %panel%; border: 1px solid transparent; outline: none; selection-background-color: %soft%; selection-color: %text%; gridline-color: %line%; }
QAbstractItemView:focus { border: 1px solid %accent%; border-radius: 4px; }
QTableView::item, QListView::item, QTreeView::item { padding: 4px 8px; }
QHeaderView::section { background: %panel%; color: %muted%; border: none; border-bottom: 1px solid %line%; padding: 6px 8px; }
QTableView[objectName="plans found"] QHeaderView::section { padding: 4px 5px; font-size: %12px%; }
QTableCornerButton::section { background: %panel%; border: none; }
QScrollBar { background: transparent; border: none; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: %scroll%; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: %muted%; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QHeaderView::up-arrow, QHeaderView::down-arrow { image: none; width: 0px; height: 0px; }
QTabWidget::pane { border: none; }
QTabBar::tab { background: transparent; color: %muted%; border: none; border-bottom: 2px solid transparent; padding: 6px 10px; margin-right: 4px; }
QTabBar::tab:hover { color: %text%; }
QTabBar::tab:selected:focus { background: %soft%; border-radius: 4px; }
QTabBar::tab:selected { color: %text%; font-weight: 600; border-bottom-color: %accent%; }
QPushButton::menu-indicator { image: url(:/icons/chevron-down.svg); width: 10px; height: 10px; subcontrol-origin: padding; subcontrol-position: center right; right: 10px; }
QMainWindow::separator { background: transparent; width: 12px; height: 12px; }
QSplitter::handle { background: transparent; }
QScrollArea { border: 1px solid transparent; background: transparent; }
QScrollArea:focus { border: 1px solid %accent%; border-radius: 4px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid %muted%; border-radius: 3px; background: %panel%; }
QCheckBox::indicator:hover, QCheckBox::indicator:focus { border-color: %accent%; }
QCheckBox::indicator:checked { background: %accent%; border-color: %accent%; image: url(:/icons/check.svg); }
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
        { "%hover%", hover }, { "%warningsoft%", mix(warning, panel, 0.12) },
        { "%warning%", mix(warning, panel, 0.5) }, { "%scroll%", mix(muted, panel, 0.45) },
        { "%track%", track }, { "%onaccent%", textOn(accent) },
        { "%accenthover%", mix(accent, text, 0.88) }, { "%faint%", mix(muted, panel, 0.6) } };
    for (const auto& [name, colour] : names)
        sheet.replace(QLatin1String(name), colour.name());
    for (const int size : { 12, 13, 16 })
        sheet.replace(QStringLiteral("%%1px%").arg(size), QStringLiteral("%1px").arg(scaled(size)));
    return sheet;
}

} // namespace stageloom
