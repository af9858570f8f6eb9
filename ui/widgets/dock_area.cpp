// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/dock_area.h"

#include "ui/theme/theme.h"
#include "ui/widgets/panel.h"
#include <QCloseEvent>
#include <QSettings>
#include <QTimer>
#include <QToolButton>
#include <utility>

namespace stageloom {

namespace {

constexpr int kArrangement = 1; // raised when the panels of an area are other ones

QString keyOf(const QObject& area)
{
    return QStringLiteral("panels/") + area.objectName();
}

} // namespace

PanelDock::PanelDock(Panel* panel, const QString& name)
    : QDockWidget(panel->accessibleName())
    , m_button(new QToolButton)
{
    setObjectName(name);
    setAttribute(Qt::WA_StyledBackground);
    setFeatures(DockWidgetClosable | DockWidgetMovable | DockWidgetFloatable);
    m_button->setMinimumSize(28, 28);
    m_button->setFocusPolicy(Qt::TabFocus);
    panel->addControl(m_button);
    setTitleBarWidget(panel->takeHead());
    setWidget(panel);
    connect(m_button, &QToolButton::clicked, this, [this] { setFloating(!isFloating()); });
    connect(this, &QDockWidget::topLevelChanged, this, &PanelDock::becomeWindow);
    connect(this, &QDockWidget::topLevelChanged, this, &PanelDock::showPlace);
    connect(&themeNotifier(), &ThemeNotifier::changed, this, &PanelDock::recolour);
    showPlace();
}

// With the desktop's own frame: it can be moved to another screen, maximized and closed as any.
void PanelDock::becomeWindow(bool floating)
{
    if (!floating || parentWidget() == nullptr)
        return;
    constexpr int kAside = 32; // px: seen to be out of its place
    const QRect place = geometry().translated(kAside, kAside);
    setWindowFlags(Qt::Window | Qt::WindowMinMaxButtonsHint | Qt::WindowCloseButtonHint);
    setGeometry(place);
    show();
}

void PanelDock::closeEvent(QCloseEvent* event)
{
    if (!isOut()) {
        QDockWidget::closeEvent(event);
        return;
    }
    event->ignore(); // closing the window puts the panel back
    setFloating(false);
}

bool PanelDock::isOut() const
{
    return isFloating() && parentWidget() != nullptr; // without an area it is a window, too
}

void PanelDock::showPlace()
{
    m_button->setToolTip(isOut()
            ? tr("Put “%1” back into the page").arg(windowTitle())
            : tr("Show “%1” in a window of its own; drag it by its title to move it")
                  .arg(windowTitle()));
    m_button->setAccessibleName(m_button->toolTip());
    recolour();
}

void PanelDock::recolour()
{
    m_button->setIcon(themedIcon(
        isOut() ? QStringLiteral("put-back") : QStringLiteral("take-out"), theme().muted));
}

DockArea::DockArea(const QString& name, QWidget* parent)
    : QMainWindow(parent, Qt::Widget)
{
    setObjectName(name);
    setAnimated(false); // a border follows the hand at once
    setDockOptions(AllowNestedDocks | AllowTabbedDocks);
    setContextMenuPolicy(Qt::PreventContextMenu); // View > Panels has it, and the plots their own
}

DockArea::~DockArea()
{
    save();
}

PanelDock* DockArea::add(Panel* panel, const QString& name)
{
    auto* dock = new PanelDock(panel, name);
    m_docks.append(dock);
    place(dock, name);
    return dock;
}

void DockArea::addFixed(QWidget* part, const QString& name)
{
    auto* dock = new QDockWidget;
    dock->setFeatures(QDockWidget::NoDockWidgetFeatures);
    dock->setTitleBarWidget(new QWidget);
    dock->setWidget(part);
    place(dock, name);
}

void DockArea::place(QDockWidget* dock, const QString& name)
{
    dock->setObjectName(name);
    m_parts.append(dock);
    dock->setAllowedAreas(Qt::LeftDockWidgetArea);
    addDockWidget(Qt::LeftDockWidgetArea, dock, Qt::Vertical);
}

void DockArea::share(const QList<int>& weights)
{
    m_weights = weights;
}

void DockArea::restore()
{
    m_made = saveState(kArrangement);
    if (restoreState(QSettings().value(keyOf(*this)).toByteArray(), kArrangement))
        m_weights.clear();
}

void DockArea::reset()
{
    restoreState(m_made, kArrangement);
    QSettings().remove(keyOf(*this));
}

void DockArea::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    if (m_weights.size() == m_parts.size()) // sizes are known from here on
        QTimer::singleShot(0, this, [this, weights = std::exchange(m_weights, {})] {
            resizeDocks(m_parts, weights, Qt::Vertical);
            m_made = saveState(kArrangement);
        });
}

void DockArea::save() const
{
    if (!m_made.isEmpty())
        QSettings().setValue(keyOf(*this), saveState(kArrangement));
}

QList<QAction*> DockArea::toggles() const
{
    QList<QAction*> actions;
    for (const PanelDock* dock : m_docks)
        actions.append(dock->toggleViewAction());
    return actions;
}

} // namespace stageloom
