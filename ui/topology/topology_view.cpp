// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/topology_view.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/topology/link_look.h"
#include "ui/topology/machine_menu.h"
#include <QAccessible>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>

namespace stageloom {

namespace {

constexpr double kReach = 5; // px from a line that still hit it

bool isNear(const QPainterPath& way, const QPointF& point)
{
    QPainterPathStroker stroker;
    stroker.setWidth(2 * kReach);
    return stroker.createStroke(way).contains(point);
}

} // namespace

TopologyView::TopologyView(TopologyState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
{
    setAccessibleName(tr("Devices and links"));
    setAccessibleDescription(
        tr("Left and Right choose a device, with Shift the pair; Delete unplugs or removes it"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&state, &TopologyState::changed, this, &TopologyView::place);
    connect(&state, &TopologyState::selectionChanged, this, [this] {
        const MachineSelection& now = m_state.selection();
        if (m_state.topology() && now.a >= 0) { // said aloud
            setAccessibleDescription(textOf(now));
            QAccessibleEvent said(this, QAccessible::DescriptionChanged);
            QAccessible::updateAccessibility(&said);
        }
        update();
    });
    connect(&themeNotifier(), &ThemeNotifier::changed, this, qOverload<>(&QWidget::update));
    place();
}

QSize TopologyView::minimumSizeHint() const
{
    return m_state.topology() ? leastMachineSize(*m_state.topology()).toSize() : QSize(240, 160);
}

void TopologyView::setPlan(const PlanOnMachine& plan)
{
    m_marks.plan = plan;
    update();
}

void TopologyView::setNumbers(LinkNumbers numbers)
{
    m_marks.numbers = numbers;
    update();
}

void TopologyView::setWhatIf(std::vector<int> devices, bool link)
{
    m_marks.whatIf = std::move(devices);
    m_marks.whatIfLink = link;
    update();
}

void TopologyView::place()
{
    m_marks.hovered = -1;
    m_layout
        = m_state.topology() ? layOutMachine(*m_state.topology(), QSizeF(size())) : MachineLayout();
    updateGeometry();
    update();
}

void TopologyView::resizeEvent(QResizeEvent*)
{
    place();
}

QRectF TopologyView::deviceRect(int index) const
{
    return m_layout.devices.at(static_cast<std::size_t>(index));
}

QPointF TopologyView::linkPoint(int a, int b) const
{
    const Link* link = m_state.topology() ? m_state.topology()->linkBetween(a, b) : nullptr;
    return link != nullptr ? m_layout.way(*m_state.topology(), *link).pointAtPercent(0.4)
                           : QPointF(-1, -1);
}

MachineSelection TopologyView::at(const QPointF& point) const
{
    if (const int device = m_layout.deviceAt(point); device >= 0)
        return { device, -1 };
    if (m_state.topology())
        for (const Link& link : m_state.topology()->links)
            if (isDrawnDirectly(link.kind)
                && isNear(m_layout.way(*m_state.topology(), link), point))
                return { link.a, link.b };
    return {};
}

void TopologyView::mousePressEvent(QMouseEvent* event)
{
    const MachineSelection what = at(event->position());
    const MachineSelection before = m_state.selection();
    if (what.isPair())
        m_state.selectPair(what.a, what.b);
    else if (!what.isDevice())
        m_state.clearSelection();
    else if ((event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier)) != 0 && before.a >= 0)
        m_state.selectPair(before.a, what.a);
    else
        m_state.selectDevice(what.a);
}

void TopologyView::mouseMoveEvent(QMouseEvent* event)
{
    const int device = m_layout.deviceAt(event->position());
    if (device == m_marks.hovered)
        return;
    m_marks.hovered = device;
    update();
}

void TopologyView::leaveEvent(QEvent*)
{
    m_marks.hovered = -1;
    update();
}

void TopologyView::keyPressEvent(QKeyEvent* event)
{
    const auto& topology = m_state.topology();
    const MachineSelection now = m_state.selection();
    const bool forth = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    const bool back = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
    if (topology && (forth || back)) {
        const int last = static_cast<int>(topology->devices.size()) - 1;
        const bool pair = (event->modifiers() & Qt::ShiftModifier) != 0 && now.a >= 0;
        const int from = now.isPair() && pair ? now.b : now.a;
        const int next = std::clamp(from + (forth ? 1 : -1), 0, last);
        if (pair && next != now.a)
            m_state.selectPair(now.a, next);
        else if (!pair)
            m_state.selectDevice(next);
    } else if (event->key() == Qt::Key_Delete && now.isPair()) {
        m_state.unplug(now.a, now.b);
    } else if (event->key() == Qt::Key_Delete && now.isDevice()) {
        m_state.remove(now.a);
    } else if (event->key() == Qt::Key_Plus && now.isDevice()) {
        m_state.addLike(now.a);
    } else if (event->key() == Qt::Key_Escape) {
        m_state.clearSelection();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void TopologyView::contextMenuEvent(QContextMenuEvent* event)
{
    MachineSelection what = m_state.selection();
    QPoint place = event->globalPos();
    if (event->reason() == QContextMenuEvent::Mouse) {
        what = at(event->pos());
        if (what.isPair())
            m_state.selectPair(what.a, what.b);
        else if (what.isDevice())
            m_state.selectDevice(what.a);
    } else if (what.isDevice()) {
        place = mapToGlobal(deviceRect(what.a).center().toPoint());
    }
    if (QMenu* menu = makeMachineMenu(m_state, what, this)) {
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(place);
    }
}

QString TopologyView::textOf(const MachineSelection& what) const
{
    const Topology& topology = *m_state.topology();
    const auto name
        = [&](int index) { return deviceLabel(topology.devices[static_cast<std::size_t>(index)]); };
    if (what.isDevice()) {
        QString words = name(what.a) + QStringLiteral(": ")
            + QString::fromStdString(topology.devices[static_cast<std::size_t>(what.a)].name);
        const auto load = m_marks.plan.devices.find(what.a);
        if (load == m_marks.plan.devices.end())
            return words;
        words += tr(", stage %1, %2").arg(load->second.stage).arg(load->second.layers);
        if (load->second.memory > 0 && load->second.room > 0)
            words += tr(", %1 of %2 that a plan may fill")
                         .arg(bytesText(load->second.memory), bytesText(load->second.room));
        return words;
    }
    const Link* link = topology.linkBetween(what.a, what.b);
    QString words
        = tr("%1 – %2: %3")
              .arg(name(what.a), name(what.b), link != nullptr ? linkText(*link) : tr("unplugged"));
    if (const PairTraffic* traffic = m_marks.plan.between(what.a, what.b))
        words += tr("; the plan moves %1 a step").arg(bytesText(traffic->bytes()));
    return words;
}

bool TopologyView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !m_state.topology())
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const MachineSelection what = at(QPointF(help->pos()));
    if (what.a >= 0)
        QToolTip::showText(help->globalPos(), textOf(what), this);
    else
        QToolTip::hideText();
    return true;
}

void TopologyView::paintEvent(QPaintEvent*)
{
    if (!m_state.topology())
        return;
    m_marks.selection = m_state.selection();
    QPainter painter(this);
    MachinePainter(painter, *m_state.topology(), m_layout, m_marks).paint();
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
}

std::vector<std::pair<QString, QString>> TopologyView::shortcuts()
{
    return { { tr("arrow keys"), tr("from device to device") },
        { tr("Shift+arrow keys"), tr("the link to the next device") },
        { tr("Delete"), tr("unplug the link, or remove the device") },
        { tr("+"), tr("add a device like this one") }, { tr("Escape"), tr("choose nothing") } };
}

} // namespace stageloom
