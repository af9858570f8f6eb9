// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/stage_strip.h"

#include "core/base/units.h"
#include "ui/state/topology_state.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/layer_words.h"
#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace stageloom {

namespace {

constexpr double kCellHeight = 56, kReach = 8;
const PlanStage& stageOf(const Plan& plan, int stage)
{
    return plan.stages[static_cast<std::size_t>(stage)];
}

} // namespace

StageStrip::StageStrip(QWidget* parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Stages"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StageStrip::setPlan(const Plan& plan)
{
    m_plan = plan;
    m_chosen = std::clamp(m_chosen, 0, std::max(0, plan.depth() - 1));
    update();
}

void StageStrip::setPrediction(std::shared_ptr<const Prediction> prediction)
{
    m_prediction = std::move(prediction);
    update();
}

int StageStrip::layerCount() const
{
    return m_plan.stages.empty() ? 0 : m_plan.stages.back().lastLayer + 1;
}

StripLayout StageStrip::layoutNow() const
{
    return { QRectF(4, 3, width() - 8, kCellHeight), layerCount() };
}

QString StageStrip::deviceName(int device) const
{
    for (const Device& each : m_plan.topology.devices)
        if (each.index == device)
            return deviceLabel(each);
    return tr("device %1").arg(device);
}

QString StageStrip::stageWords(int stage) const
{
    const std::vector<int>& devices = stageOf(m_plan, stage).devices;
    if (devices.empty())
        return tr("Stage %1").arg(stage);
    QString name = deviceName(devices.front());
    if (devices.size() > 1)
        name = tr("%1 and %2 more").arg(name).arg(devices.size() - 1);
    return tr("Stage %1 · %2").arg(stage).arg(name);
}

QString StageStrip::stageTime(int stage) const
{
    const auto index = static_cast<std::size_t>(stage);
    if (!m_prediction || index >= m_prediction->stages.size())
        return {};
    const StageTimes& times = m_prediction->stages[index].times;
    return secondsText(times.forward + times.backward + times.recompute);
}

QString StageStrip::stageSummary(int stage) const
{
    const PlanStage& part = stageOf(m_plan, stage);
    QStringList words;
    words << layerWords(
        m_prediction ? &m_prediction->model : nullptr, part.firstLayer, part.lastLayer);
    if (const QString time = stageTime(stage); !time.isEmpty())
        words << time;
    if (part.recompute)
        words << tr("recompute");
    return words.join(QStringLiteral(" · "));
}

void StageStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const StripLayout strip = layoutNow();
    for (int s = 0; s < m_plan.depth(); ++s)
        paintStage(painter, strip, s);
    for (int s = 0; s < m_plan.depth(); ++s)
        paintWords(painter, strip, s);
    for (int b = 0; b + 1 < m_plan.depth(); ++b)
        paintBorder(painter, strip, b);
}

void StageStrip::paintStage(QPainter& painter, const StripLayout& strip, int stage) const
{
    const PlanStage& part = stageOf(m_plan, stage);
    const Theme& look = theme();
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.stageSoft(stage));
    if (stage == m_pressed && m_held)
        painter.setOpacity(0.5);
    else if (hasFocus() && stage == m_chosen)
        painter.setPen(QPen(look.accent, 1.5));
    painter.drawRoundedRect(strip.stageRect(part).adjusted(1, 0, -1, 0), 6, 6);
    painter.setOpacity(1);
    const double gap = std::min(3.0, strip.cellWidth() / 6);
    painter.setFont(look.captionFont());
    if (strip.cellWidth() < 1) { // layers below a pixel: a million of them would take seconds
        painter.setPen(Qt::NoPen);
        painter.setBrush(look.stageBrush(stage));
        painter.drawRect(strip.stageRect(part).adjusted(1, 6, -1, -6));
        return;
    }
    for (int layer = part.firstLayer; layer <= part.lastLayer; ++layer) {
        const QRectF cell = strip.cell(layer).adjusted(gap, 6, -gap, -6);
        painter.setPen(Qt::NoPen);
        painter.setBrush(look.stage(stage));
        painter.drawRoundedRect(cell, 4, 4);
        if (part.recompute || Theme::hasPattern(stage)) {
            painter.setBrush(QBrush(look.textOn(look.stage(stage)), Qt::BDiagPattern));
            painter.setOpacity(0.25);
            painter.drawRoundedRect(cell, 4, 4);
            painter.setOpacity(1);
        }
        if (!m_prediction || cell.width() < 14
            || static_cast<std::size_t>(layer) >= m_prediction->model.layers.size())
            continue;
        const Layer& model = m_prediction->model.layers[static_cast<std::size_t>(layer)];
        const QString letter = model.kind == LayerKind::Embedding ? QStringLiteral("E")
            : model.kind == LayerKind::Head                       ? QStringLiteral("H")
            : model.kind == LayerKind::Norm                       ? QStringLiteral("N")
                                                                  : QString();
        if (letter.isEmpty())
            continue;
        painter.setPen(look.textOn(look.stage(stage)));
        painter.drawText(cell, Qt::AlignCenter, letter);
    }
}

void StageStrip::paintWords(QPainter& painter, const StripLayout& strip, int stage) const
{
    const QRectF rect = strip.stageRect(stageOf(m_plan, stage)).adjusted(2, 0, -2, 0);
    const Theme& look = theme();
    QFont bold = look.captionFont();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(look.text);
    const QFontMetrics boldMetrics(bold);
    QRectF line(rect.left(), strip.area.bottom() + 6, rect.width(), 17);
    const auto put = [&](const QString& text, const QFontMetrics& metrics) {
        painter.drawText(line, Qt::AlignCenter,
            metrics.elidedText(text, Qt::ElideRight, static_cast<int>(line.width())));
    };
    put(stageWords(stage), boldMetrics);
    painter.setFont(look.captionFont());
    painter.setPen(look.muted);
    line.translate(0, 18);
    const QFontMetrics metrics(look.captionFont());
    const QString summary = stageSummary(stage);
    put(metrics.horizontalAdvance(summary) <= line.width() ? summary : stageTime(stage), metrics);
}

void StageStrip::paintBorder(QPainter& painter, const StripLayout& strip, int border) const
{
    const Theme& look = theme();
    const double x = strip.layerLeft(stageOf(m_plan, border + 1).firstLayer);
    const bool strong
        = border == m_dragged || border == m_hover || (hasFocus() && border == chosenBorder());
    painter.setPen(QPen(strong ? look.accent : look.text, strong ? 2.5 : 2));
    painter.drawLine(QPointF(x, strip.area.top() - 2), QPointF(x, strip.area.bottom() + 2));
    painter.setBrush(look.panel);
    painter.drawRoundedRect(QRectF(x - 5, strip.area.center().y() - 9, 10, 18), 4, 4);
}

void StageStrip::moveBorder(int border, int firstLayer)
{
    const PlanStage& left = stageOf(m_plan, border);
    const PlanStage& right = stageOf(m_plan, border + 1);
    const int place = std::clamp(firstLayer, left.firstLayer + 1, right.lastLayer);
    if (place != right.firstLayer)
        emit borderMoved(border, place);
}

void StageStrip::askSplit(int stage, int firstLayer)
{
    const PlanStage& part = stageOf(m_plan, stage);
    if (part.lastLayer > part.firstLayer)
        emit splitAsked(std::clamp(firstLayer, part.firstLayer + 1, part.lastLayer));
}

int StageStrip::chosenBorder() const
{
    return std::min(m_chosen, m_plan.depth() - 2);
}

void StageStrip::chooseStage(int stage)
{
    m_chosen = std::clamp(stage, 0, std::max(0, m_plan.depth() - 1));
    setFocus();
    update();
}

void StageStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const StripLayout strip = layoutNow();
    m_dragged = strip.stageBorderAt(m_plan, event->position().x(), kReach);
    m_pressPosition = event->position();
    m_held = false;
    if (m_dragged >= 0) {
        m_chosen = m_dragged;
        emit gestureStarted();
    } else {
        m_pressed = strip.stageAt(m_plan, event->position().x());
        m_chosen = std::max(0, m_pressed);
    }
    update();
}

void StageStrip::mouseMoveEvent(QMouseEvent* event)
{
    const StripLayout strip = layoutNow();
    if (m_dragged >= 0) {
        moveBorder(m_dragged, strip.borderAt(event->position().x()));
        return;
    }
    if (m_pressed >= 0) {
        const QPointF way = event->position() - m_pressPosition;
        m_held = m_held || way.manhattanLength() >= QApplication::startDragDistance();
        if (m_held) {
            setCursor(Qt::ClosedHandCursor);
            emit stageHeld(m_pressed, event->globalPosition().toPoint());
            update();
        }
        return;
    }
    const int hover = strip.stageBorderAt(m_plan, event->position().x(), kReach);
    setCursor(hover >= 0 ? Qt::SplitHCursor : Qt::ArrowCursor);
    if (std::exchange(m_hover, hover) != hover)
        update();
}

void StageStrip::mouseReleaseEvent(QMouseEvent* event)
{
    m_dragged = -1;
    const int stage = std::exchange(m_pressed, -1);
    if (std::exchange(m_held, false)) {
        setCursor(Qt::ArrowCursor);
        emit stageDropped(stage, event->globalPosition().toPoint());
    }
    update();
}

void StageStrip::mouseDoubleClickEvent(QMouseEvent* event)
{
    const StripLayout strip = layoutNow();
    const double x = event->position().x();
    const int stage = strip.stageAt(m_plan, x);
    if (event->button() == Qt::LeftButton && stage >= 0
        && strip.stageBorderAt(m_plan, x, kReach) < 0)
        emit recomputeToggled(stage);
}

void StageStrip::keyPressEvent(QKeyEvent* event)
{
    const int stages = m_plan.depth(), border = chosenBorder();
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (stages == 0) {
        QWidget::keyPressEvent(event);
    } else if (step != 0 && border >= 0) {
        emit gestureStarted();
        moveBorder(border, stageOf(m_plan, border + 1).firstLayer + step);
    } else if (event->key() == Qt::Key_Down) {
        m_chosen = (m_chosen + 1) % stages;
    } else if (event->key() == Qt::Key_Up) {
        m_chosen = (m_chosen + stages - 1) % stages;
    } else if (event->key() == Qt::Key_R) {
        emit recomputeToggled(m_chosen);
    } else if (event->key() == Qt::Key_S) {
        const PlanStage& part = stageOf(m_plan, m_chosen);
        askSplit(m_chosen, (part.firstLayer + part.lastLayer + 1) / 2);
    } else if (event->key() == Qt::Key_M && border >= 0) {
        emit mergeAsked(border);
    } else {
        QWidget::keyPressEvent(event);
    }
    update();
}

void StageStrip::contextMenuEvent(QContextMenuEvent* event)
{
    const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
    const StripLayout strip = layoutNow();
    const int stage = keyboard ? m_chosen : strip.stageAt(m_plan, event->pos().x());
    if (stage < 0 || stage >= m_plan.depth())
        return;
    const PlanStage part = stageOf(m_plan, stage);
    const int cut
        = keyboard ? (part.firstLayer + part.lastLayer + 1) / 2 : strip.borderAt(event->pos().x());
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* recompute = menu->addAction(
        tr("Recompute activations\tR"), this, [this, stage] { emit recomputeToggled(stage); });
    recompute->setCheckable(true);
    recompute->setChecked(part.recompute);
    QAction* split = menu->addAction(
        tr("Split the stage here\tS"), this, [this, stage, cut] { askSplit(stage, cut); });
    split->setEnabled(part.lastLayer > part.firstLayer);
    QAction* merge = menu->addAction(
        tr("Merge with the next stage\tM"), this, [this, stage] { emit mergeAsked(stage); });
    merge->setEnabled(stage + 1 < m_plan.depth());
    QMenu* devices = menu->addMenu(tr("Move to device"));
    for (const Device& device : m_plan.topology.devices) {
        QAction* action = devices->addAction(deviceLabel(device), this,
            [this, stage, index = device.index] { emit deviceAsked(stage, index); });
        action->setEnabled(part.devices.empty() || part.devices.front() != device.index);
    }
    menu->popup(
        keyboard ? mapToGlobal(strip.stageRect(part).center().toPoint()) : event->globalPos());
}

void StageStrip::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void StageStrip::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

bool StageStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int stage = layoutNow().stageAt(m_plan, help->pos().x());
    if (stage >= 0)
        QToolTip::showText(help->globalPos(),
            tr("%1\n%2\nDrag a border to move layers, the stage onto a device to move it there.\n"
               "Double-click: recompute. Right-click: split, merge, move.")
                .arg(stageWords(stage), stageSummary(stage)),
            this);
    return true;
}

std::vector<std::pair<QString, QString>> StageStrip::shortcuts()
{
    return { { tr("drag a border"), tr("move layers to the neighbour") },
        { tr("drag a stage"), tr("onto a device in the memory panel") },
        { tr("Up · Down"), tr("choose a stage") },
        { tr("Left · Right"), tr("move its border by a layer") },
        { tr("double-click · R"), tr("recompute or not") }, { tr("S"), tr("split the stage") },
        { tr("M"), tr("merge it with the next") } };
}

} // namespace stageloom
