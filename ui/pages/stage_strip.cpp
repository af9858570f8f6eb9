// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/stage_strip.h"

#include "core/base/units.h"
#include "ui/theme/theme.h"
#include <QHelpEvent>
#include <QKeyEvent>
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
    m_chosen = std::clamp(m_chosen, 0, std::max(0, plan.depth() - 2));
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

QString StageStrip::stageWords(int stage) const
{
    QStringList devices;
    for (const int device : stageOf(m_plan, stage).devices)
        devices << QString::number(device);
    const bool workers = !m_plan.topology.devices.empty()
        && m_plan.topology.devices.front().kind == DeviceKind::CpuWorker;
    return (workers ? tr("Stage %1 · Worker %2") : tr("Stage %1 · GPU %2"))
        .arg(stage)
        .arg(devices.join(u','));
}

QString StageStrip::stageSummary(int stage) const
{
    const PlanStage& part = stageOf(m_plan, stage);
    QStringList words;
    words << (part.firstLayer == part.lastLayer
            ? tr("layer %1").arg(part.firstLayer)
            : tr("layers %1–%2").arg(part.firstLayer).arg(part.lastLayer));
    const auto index = static_cast<std::size_t>(stage);
    if (m_prediction && index < m_prediction->stages.size()) {
        const StageTimes& times = m_prediction->stages[index].times;
        words << QString::fromStdString(
            formatSeconds(times.forward + times.backward + times.recompute));
    }
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
    painter.drawRoundedRect(strip.stageRect(part).adjusted(1, 0, -1, 0), 6, 6);
    const double gap = std::min(3.0, strip.cellWidth() / 6);
    painter.setFont(look.captionFont());
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
    put(stageSummary(stage), QFontMetrics(look.captionFont()));
}

void StageStrip::paintBorder(QPainter& painter, const StripLayout& strip, int border) const
{
    const Theme& look = theme();
    const double x = strip.layerLeft(stageOf(m_plan, border + 1).firstLayer);
    const bool strong
        = border == m_dragged || border == m_hover || (hasFocus() && border == m_chosen);
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

void StageStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_dragged = layoutNow().stageBorderAt(m_plan, event->position().x(), kReach);
    if (m_dragged >= 0) {
        m_chosen = m_dragged;
        emit gestureStarted();
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
    const int hover = strip.stageBorderAt(m_plan, event->position().x(), kReach);
    setCursor(hover >= 0 ? Qt::SplitHCursor : Qt::ArrowCursor);
    if (std::exchange(m_hover, hover) != hover)
        update();
}

void StageStrip::mouseReleaseEvent(QMouseEvent*)
{
    m_dragged = -1;
    update();
}

void StageStrip::mouseDoubleClickEvent(QMouseEvent* event)
{
    const int stage = layoutNow().stageAt(m_plan, event->position().x());
    if (stage >= 0)
        emit recomputeToggled(stage);
}

void StageStrip::keyPressEvent(QKeyEvent* event)
{
    const int borders = m_plan.depth() - 1;
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (step != 0 && borders > 0) {
        emit gestureStarted();
        moveBorder(m_chosen, stageOf(m_plan, m_chosen + 1).firstLayer + step);
    } else if (event->key() == Qt::Key_Down && borders > 0) {
        m_chosen = (m_chosen + 1) % borders;
    } else if (event->key() == Qt::Key_Up && borders > 0) {
        m_chosen = (m_chosen + borders - 1) % borders;
    } else if (event->key() == Qt::Key_R && m_plan.depth() > 0) {
        emit recomputeToggled(m_chosen);
    } else {
        QWidget::keyPressEvent(event);
    }
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
            tr("%1\n%2\nDrag a border, or Up/Down and Left/Right. Double-click or R: recompute.")
                .arg(stageWords(stage), stageSummary(stage)),
            this);
    return true;
}

} // namespace stageloom
