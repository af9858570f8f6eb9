// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/stage_strip.h"

#include "core/plan/explain.h"
#include "ui/state/topology_state.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/layer_words.h"
#include "ui/widgets/plan_marks.h"
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

constexpr double kTop = 14, kCellHeight = 34, kReach = 8; // px; above: the marks of another plan

// Room for the names of the lines.
int headWidth()
{
    const QFontMetrics metrics(theme().captionFont());
    int wide = 0;
    for (const QString& word :
        { StageStrip::tr("Layers"), StageStrip::tr("Blocks"), StageStrip::tr("Memory") })
        wide = std::max(wide, metrics.horizontalAdvance(word));
    return wide + 12;
}

// The first of them that fits: a text that is cut says less than a shorter one. Empty: none does.
QString fitting(const QStringList& texts, const QFontMetrics& metrics, double room)
{
    for (const QString& text : texts)
        if (metrics.horizontalAdvance(text) <= room)
            return text;
    return {};
}

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
    const double left = headWidth();
    return { QRectF(left, kTop, width() - left - 4, kCellHeight), layerCount() };
}

void StageStrip::setGhost(const Plan* plan)
{
    std::vector<int> borders;
    if (plan != nullptr && !plan->stages.empty()
        && plan->stages.back().lastLayer + 1 == layerCount())
        for (std::size_t s = 1; s < plan->stages.size(); ++s)
            borders.push_back(plan->stages[s].firstLayer);
    if (std::exchange(m_ghost, borders) != borders)
        update();
}

int StageStrip::stageUnder(const QPoint& globalPosition) const
{
    const QPoint at = mapFromGlobal(globalPosition);
    return rect().contains(at) ? layoutNow().stageAt(m_plan, at.x()) : -1;
}

void StageStrip::setDropTarget(int stage)
{
    if (std::exchange(m_dropTarget, stage) != stage)
        update();
}

const StagePrediction* StageStrip::predictionOf(int stage) const
{
    const auto index = static_cast<std::size_t>(stage);
    return m_prediction && index < m_prediction->stages.size() ? &m_prediction->stages[index]
                                                               : nullptr;
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
    const StagePrediction* of = predictionOf(stage);
    if (of == nullptr)
        return {};
    const StageTimes& times = of->times;
    return QString::fromStdString(
        timeText(*m_prediction, times.forward + times.backward + times.recompute));
}

QString StageStrip::memoryParts(int stage) const
{
    const StagePrediction* of = predictionOf(stage);
    if (of == nullptr)
        return {};
    return tr("%1: weights %2, optimizer and gradients %3, activations %4, buffers %5")
        .arg(memoryText(stage), bytesText(of->memory.weights),
            bytesText(of->memory.optimizer + of->memory.gradients),
            bytesText(of->memory.activations), bytesText(of->memory.buffers));
}

QString StageStrip::memoryText(int stage) const
{
    const StagePrediction* of = predictionOf(stage);
    if (of == nullptr)
        return {};
    const QString total = bytesText(of->memory.total());
    return of->capacityBytes > 0 ? tr("%1 of %2").arg(total, bytesText(of->capacityBytes)) : total;
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
        paintColumn(painter, strip, s);
    if (!m_plan.stages.empty()) {
        paintGhost(painter, strip);
        painter.setFont(theme().captionFont());
        painter.setPen(theme().muted);
        const std::pair<double, QString> heads[] = { { strip.area.center().y(), tr("Layers") },
            { strip.area.bottom() + 29, tr("Blocks") },
            { strip.area.bottom() + 45, m_prediction ? tr("Memory") : QString() } };
        for (const auto& [middle, word] : heads)
            painter.drawText(QRectF(0, middle - 9, strip.area.left(), 18), Qt::AlignVCenter, word);
    }
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
    else if ((hasFocus() && stage == m_chosen) || stage == m_dropTarget)
        painter.setPen(QPen(look.accent, 1.5));
    painter.drawRoundedRect(strip.stageRect(part).adjusted(1, 0, -1, 0), 6, 6);
    painter.setOpacity(1);
    const double gap = std::min(3.0, strip.cellWidth() / 6);
    painter.setFont(look.captionFont());
    if (strip.cellWidth() < 1) { // layers below a pixel: a million of them would take seconds
        painter.setPen(Qt::NoPen);
        painter.setBrush(look.stageBrush(stage));
        painter.drawRect(strip.stageRect(part).adjusted(1, 4, -1, -4));
        return;
    }
    for (int layer = part.firstLayer; layer <= part.lastLayer; ++layer) {
        const QRectF cell = strip.cell(layer).adjusted(gap, 4, -gap, -4);
        painter.setPen(Qt::NoPen);
        painter.setBrush(look.stageBrush(stage));
        painter.drawRoundedRect(cell, 4, 4);
        if (part.recompute) {
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

// Name, blocks and time, memory: one under the other, each as long as its stage has room for.
void StageStrip::paintColumn(QPainter& painter, const StripLayout& strip, int stage) const
{
    const PlanStage& part = stageOf(m_plan, stage);
    const QRectF column = strip.stageRect(part).adjusted(1, 0, -1, 0);
    const Theme& look = theme();
    QFont bold = look.captionFont();
    bold.setWeight(QFont::DemiBold);
    QRectF line(column.left(), strip.area.bottom() + 5, column.width(), 16);
    const auto put = [&](const QStringList& texts, const QFont& font, const QColor& colour) {
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(line, Qt::AlignCenter, fitting(texts, QFontMetrics(font), line.width()));
        line.translate(0, 16);
    };
    put({ stageWords(stage), tr("Stage %1").arg(stage), QString::number(stage) }, bold, look.text);
    const QString time = stageTime(stage), dot = QStringLiteral(" · ");
    const QString blocks = layerWords(
        m_prediction ? &m_prediction->model : nullptr, part.firstLayer, part.lastLayer);
    const QString layers = part.firstLayer == part.lastLayer
        ? QString::number(part.firstLayer)
        : tr("%1–%2").arg(part.firstLayer).arg(part.lastLayer);
    QStringList words { stageSummary(stage) };
    if (!time.isEmpty())
        words << blocks + dot + time << layers + dot + time << time
              << QString(time).remove(QStringLiteral("≈ "));
    else
        words << blocks << layers;
    put(words, look.captionFont(), look.muted);
    paintMemory(painter, QRectF(column.left(), line.top() + 2, column.width(), 26), stage);
}

void StageStrip::paintMemory(QPainter& painter, const QRectF& column, int stage) const
{
    const StagePrediction* of = predictionOf(stage);
    if (of == nullptr)
        return;
    const Theme& look = theme();
    const double total = of->memory.total(), whole = std::max(total, of->capacityBytes);
    const bool over = of->capacityBytes > 0 && total > of->capacityBytes;
    const QRectF bar = column.adjusted(3, 1, -3, 0)
                           .intersected(QRectF(column.left(), column.top() + 1, column.width(), 8));
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.track);
    painter.drawRoundedRect(bar, 2, 2);
    const double parts[] = { of->memory.weights, of->memory.optimizer + of->memory.gradients,
        of->memory.activations, of->memory.buffers };
    double x = bar.left();
    for (std::size_t i = 0; i < std::size(parts) && whole > 0; ++i) {
        const double wide = parts[i] / whole * bar.width();
        painter.setBrush(look.memory[i]);
        painter.drawRect(QRectF(x, bar.top(), wide, bar.height()));
        x += wide;
    }
    if (over) { // where its device ends
        const double edge = bar.left() + of->capacityBytes / whole * bar.width();
        painter.setPen(QPen(look.bad, 2));
        painter.drawLine(QPointF(edge, bar.top() - 2), QPointF(edge, bar.bottom() + 2));
    }
    const bool fullest = std::none_of(m_prediction->stages.begin(), m_prediction->stages.end(),
        [total](const StagePrediction& other) { return other.memory.total() > total; });
    QFont font = look.captionFont();
    font.setWeight(fullest || over ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(over ? look.bad : fullest ? look.text : look.muted);
    const QString bytes = bytesText(total);
    painter.drawText(QRectF(column.left(), bar.bottom() + 1, column.width(), 16), Qt::AlignCenter,
        fitting({ memoryText(stage), bytes, bytes.section(u' ', 0, 0) }, QFontMetrics(font),
            column.width()));
}

void StageStrip::paintGhost(QPainter& painter, const StripLayout& strip) const
{
    const Theme& look = theme();
    for (const int layer : m_ghost) {
        const bool same = std::any_of(m_plan.stages.begin() + 1, m_plan.stages.end(),
            [layer](const PlanStage& stage) { return stage.firstLayer == layer; });
        if (same)
            continue;
        const double x = strip.layerLeft(layer);
        painter.setPen(QPen(look.text, 1.2, Qt::DashLine));
        painter.drawLine(QPointF(x, strip.area.top()), QPointF(x, strip.area.bottom()));
        paintMark(painter, QRectF(x - 6.5, 0, 13, 13), QStringLiteral("A"));
    }
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
    painter.drawRoundedRect(QRectF(x - 4, strip.area.center().y() - 9, 8, 18), 4, 4);
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
        tr("&Recompute activations\tR"), this, [this, stage] { emit recomputeToggled(stage); });
    recompute->setCheckable(true);
    recompute->setChecked(part.recompute);
    QAction* split = menu->addAction(
        tr("&Split the stage here\tS"), this, [this, stage, cut] { askSplit(stage, cut); });
    split->setEnabled(part.lastLayer > part.firstLayer);
    QAction* merge = menu->addAction(
        tr("&Merge with the next stage\tM"), this, [this, stage] { emit mergeAsked(stage); });
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
            tr("%1\n%2\n%3\nDrag a border to move layers, the stage onto another one to change "
               "their devices.\nDouble-click: recompute. Right-click: split, merge, move.")
                .arg(stageWords(stage), stageSummary(stage), memoryParts(stage)),
            this);
    return true;
}

std::vector<std::pair<QString, QString>> StageStrip::shortcuts()
{
    return { { tr("drag a border"), tr("move layers to the neighbour") },
        { tr("drag a stage"), tr("onto another one, or onto a device in the memory panel") },
        { tr("Up · Down"), tr("choose a stage") },
        { tr("Left · Right"), tr("move its border by a layer") },
        { tr("double-click · R"), tr("recompute or not") }, { tr("S"), tr("split the stage") },
        { tr("M"), tr("merge it with the next") } };
}

} // namespace stageloom
