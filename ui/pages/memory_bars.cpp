// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/memory_bars.h"

#include "core/base/units.h"
#include "ui/models/topology_matrix_model.h"
#include "ui/theme/theme.h"
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace stageloom {

namespace {

constexpr int kRow = 26, kLabel = 96, kNumbers = 220;

QString bytes(double value)
{
    return QString::fromStdString(formatBytes(value));
}

} // namespace

MemoryBars::MemoryBars(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Memory per device"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void MemoryBars::setPrediction(const Plan& plan, std::shared_ptr<const Prediction> prediction)
{
    m_prediction = std::move(prediction);
    m_names.clear();
    for (const PlanStage& stage : plan.stages) {
        QString name = tr("Stage %1").arg(m_names.size());
        for (const Device& device : plan.topology.devices)
            if (!stage.devices.empty() && device.index == stage.devices.front())
                name = deviceLabel(device);
        m_names << name;
    }
    updateGeometry();
    update();
}

int MemoryBars::rows() const
{
    return m_prediction ? static_cast<int>(m_prediction->stages.size()) : 0;
}

QSize MemoryBars::sizeHint() const
{
    return { 600, std::max(1, rows()) * kRow };
}

QSize MemoryBars::minimumSizeHint() const
{
    return { 360, std::max(1, rows()) * kRow };
}

QString MemoryBars::rowText(int stage) const
{
    const StagePrediction& s = m_prediction->stages[static_cast<std::size_t>(stage)];
    return tr("Stage %1: weights %2 (%n version(s)), gradients %3, optimizer %4, activations %5, "
              "buffers %6",
        nullptr, s.versions)
        .arg(stage)
        .arg(bytes(s.memory.weights), bytes(s.memory.gradients), bytes(s.memory.optimizer),
            bytes(s.memory.activations), bytes(s.memory.buffers));
}

void MemoryBars::paintEvent(QPaintEvent*)
{
    double scale = 0;
    for (int s = 0; s < rows(); ++s) {
        const StagePrediction& stage = m_prediction->stages[static_cast<std::size_t>(s)];
        scale = std::max({ scale, stage.capacityBytes, stage.memory.total() });
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int s = 0; s < rows(); ++s)
        paintRow(painter, s, scale);
}

void MemoryBars::paintRow(QPainter& painter, int stage, double scale) const
{
    const Theme& look = theme();
    const StagePrediction& s = m_prediction->stages[static_cast<std::size_t>(stage)];
    const QRectF row(0, stage * kRow, width(), kRow);
    painter.setFont(look.valueFont());
    painter.setPen(look.text);
    painter.drawText(row.adjusted(0, 0, 0, 0), Qt::AlignVCenter, m_names.value(stage));
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.stageBrush(stage));
    painter.drawRoundedRect(QRectF(72, row.center().y() - 6, 12, 12), 3, 3);
    const QRectF bar(kLabel, row.top() + 5, std::max(40, width() - kLabel - kNumbers), kRow - 10);
    painter.setBrush(look.track);
    painter.drawRoundedRect(bar, 3, 3);
    const double parts[] = { s.memory.weights, s.memory.optimizer + s.memory.gradients,
        s.memory.activations, s.memory.buffers };
    double x = bar.left();
    for (std::size_t i = 0; i < std::size(parts); ++i) {
        const double wide = scale > 0 ? parts[i] / scale * bar.width() : 0;
        painter.setBrush(look.memory[i]);
        painter.drawRect(QRectF(x, bar.top(), wide, bar.height()));
        x += wide;
    }
    const double total = s.memory.total(), capacity = s.capacityBytes;
    const bool over = capacity > 0 && total > capacity;
    if (capacity > 0 && capacity < scale) {
        const double edge = bar.left() + capacity / scale * bar.width();
        painter.setPen(QPen(look.bad, 2));
        painter.drawLine(QPointF(edge, bar.top() - 3), QPointF(edge, bar.bottom() + 3));
    }
    painter.setPen(over ? look.bad : look.text);
    const QRectF numbers(bar.right() + 12, row.top(), 128, kRow);
    painter.drawText(numbers, Qt::AlignVCenter | Qt::AlignRight,
        capacity > 0 ? tr("%1 of %2").arg(bytes(total), bytes(capacity)) : bytes(total));
    if (capacity <= 0)
        return;
    painter.setFont(look.captionFont());
    painter.setPen(over ? look.bad : look.muted);
    painter.drawText(QRectF(width() - 78, row.top(), 78, kRow), Qt::AlignVCenter | Qt::AlignRight,
        over ? tr("%1 over").arg(bytes(total - capacity))
             : tr("%1 free").arg(bytes(capacity - total)));
}

bool MemoryBars::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int stage = help->pos().y() / kRow;
    if (stage >= 0 && stage < rows())
        QToolTip::showText(help->globalPos(), rowText(stage), this);
    return true;
}

void MemoryLegend::paintEvent(QPaintEvent*)
{
    const Theme& look = theme();
    const QString names[]
        = { tr("weights"), tr("optimizer, gradients"), tr("activations"), tr("buffers") };
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(look.captionFont());
    const QFontMetrics metrics(look.captionFont());
    int x = 0;
    for (std::size_t i = 0; i < std::size(names); ++i) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(look.memory[i]);
        painter.drawRoundedRect(QRectF(x, height() / 2 - 5, 10, 10), 2, 2);
        painter.setPen(look.muted);
        const int wide = metrics.horizontalAdvance(names[i]);
        painter.drawText(QRect(x + 16, 0, wide + 2, height()), Qt::AlignVCenter, names[i]);
        x += 16 + wide + 20;
    }
}

} // namespace stageloom
