// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/memory_bars.h"

#include "core/base/units.h"
#include "ui/state/topology_state.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace stageloom {

namespace {

constexpr int kRow = 26, kLabel = 96, kNumbers = 244;
constexpr std::size_t kMostRows = 8; // of devices, unless more are busy

} // namespace

MemoryBars::MemoryBars(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Memory per device"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void MemoryBars::setPrediction(const Plan& plan, std::shared_ptr<const Prediction> prediction)
{
    m_prediction = std::move(prediction);
    const std::size_t before = m_rows.size();
    m_rows.clear();
    for (const Device& device : plan.topology.devices) {
        Row row { device.index, -1, deviceLabel(device), device.memoryBytes.value_or(0) };
        for (int s = 0; s < plan.depth(); ++s) {
            const std::vector<int>& of = plan.stages[static_cast<std::size_t>(s)].devices;
            if (std::find(of.begin(), of.end(), device.index) != of.end())
                row.stage = s;
        }
        m_rows.push_back(row);
    }
    // Busy devices first; of the free ones only some, a server of 64 would bury the page.
    std::stable_partition(
        m_rows.begin(), m_rows.end(), [](const Row& row) { return row.stage >= 0; });
    const auto busy = static_cast<std::size_t>(
        std::count_if(m_rows.begin(), m_rows.end(), [](const Row& row) { return row.stage >= 0; }));
    m_rows.resize(std::min(m_rows.size(), std::max(busy, kMostRows)));
    if (m_rows.size() != before)
        updateGeometry();
    update();
}

const StagePrediction* MemoryBars::predictionOf(const Row& row) const
{
    const auto stage = static_cast<std::size_t>(row.stage);
    if (row.stage < 0 || !m_prediction || stage >= m_prediction->stages.size())
        return nullptr;
    return &m_prediction->stages[stage];
}

QSize MemoryBars::sizeHint() const
{
    return { 600, std::max(1, rowCount()) * kRow };
}

QSize MemoryBars::minimumSizeHint() const
{
    return { 360, std::max(1, rowCount()) * kRow };
}

int MemoryBars::deviceAt(const QPoint& position) const
{
    const int row = position.y() / kRow;
    if (!rect().contains(position) || row >= rowCount())
        return -1;
    // Rows that are scrolled away lie under the panels beside, and are nobody's target.
    const QWidget* view = parentWidget();
    if (view != nullptr && !view->rect().contains(mapToParent(position)))
        return -1;
    return m_rows[static_cast<std::size_t>(row)].device;
}

void MemoryBars::setDropTarget(int device)
{
    if (std::exchange(m_dropTarget, device) != device)
        update();
}

QString MemoryBars::rowText(const Row& row) const
{
    const StagePrediction* s = predictionOf(row);
    if (s == nullptr)
        return tr("%1 has no stage: drop one here, or split a stage (S).").arg(row.name);
    return tr("Stage %1: weights %2 (%n version(s)), gradients %3, optimizer %4, activations %5, "
              "buffers %6",
        nullptr, s->versions)
        .arg(row.stage)
        .arg(bytesText(s->memory.weights), bytesText(s->memory.gradients),
            bytesText(s->memory.optimizer), bytesText(s->memory.activations),
            bytesText(s->memory.buffers));
}

void MemoryBars::showRow(int row)
{
    if (rowCount() == 0)
        return;
    m_current = std::clamp(row, 0, rowCount() - 1);
    const QString words = rowText(m_rows[static_cast<std::size_t>(m_current)]);
    setAccessibleDescription(words);
    QToolTip::showText(mapToGlobal(QPoint(kLabel, (m_current + 1) * kRow)), words, this);
    update();
}

void MemoryBars::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Up:
        return showRow(m_current - 1);
    case Qt::Key_Down:
        return showRow(m_current + 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return showRow(m_current);
    default:
        QWidget::keyPressEvent(event);
    }
}

void MemoryBars::paintEvent(QPaintEvent*)
{
    double scale = 0;
    for (const Row& row : m_rows) {
        const StagePrediction* s = predictionOf(row);
        scale = std::max({ scale, row.capacity, s != nullptr ? s->memory.total() : 0 });
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int row = 0; row < rowCount(); ++row)
        paintRow(painter, row, scale);
}

void MemoryBars::paintRow(QPainter& painter, int index, double scale) const
{
    const Theme& look = theme();
    const Row& r = m_rows[static_cast<std::size_t>(index)];
    const StagePrediction* s = predictionOf(r);
    const QRectF row(0, index * kRow, width(), kRow);
    if (r.device == m_dropTarget) {
        painter.setPen(QPen(look.accent, 1.5));
        painter.setBrush(look.accentSoft);
        painter.drawRoundedRect(row.adjusted(1, 1, -1, -1), 4, 4);
    }
    if (hasFocus() && index == std::min(m_current, rowCount() - 1)) {
        painter.setPen(QPen(look.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(row.adjusted(0.5, 1.5, -0.5, -1.5), 4, 4);
    }
    painter.setFont(look.valueFont());
    painter.setPen(s != nullptr ? look.text : look.muted);
    painter.drawText(row, Qt::AlignVCenter, r.name);
    painter.setPen(Qt::NoPen);
    if (s != nullptr) {
        painter.setBrush(look.stageBrush(r.stage));
        painter.drawRoundedRect(QRectF(72, row.center().y() - 6, 12, 12), 3, 3);
    }
    const QRectF bar(kLabel, row.top() + 5, std::max(40, width() - kLabel - kNumbers), kRow - 10);
    painter.setBrush(look.track);
    painter.drawRoundedRect(bar, 3, 3);
    if (s != nullptr) {
        const double parts[] = { s->memory.weights, s->memory.optimizer + s->memory.gradients,
            s->memory.activations, s->memory.buffers };
        double x = bar.left();
        for (std::size_t i = 0; i < std::size(parts); ++i) {
            const double wide = scale > 0 ? parts[i] / scale * bar.width() : 0;
            painter.setBrush(look.memory[i]);
            painter.drawRect(QRectF(x, bar.top(), wide, bar.height()));
            x += wide;
        }
    }
    if (r.capacity > 0 && r.capacity < scale) {
        const double edge = bar.left() + r.capacity / scale * bar.width();
        painter.setPen(QPen(look.bad, 2));
        painter.drawLine(QPointF(edge, bar.top() - 3), QPointF(edge, bar.bottom() + 3));
    }
    paintNumbers(painter, row, s != nullptr ? s->memory.total() : 0, r.capacity);
}

void MemoryBars::paintNumbers(
    QPainter& painter, const QRectF& row, double total, double capacity) const
{
    const Theme& look = theme();
    const bool over = capacity > 0 && total > capacity;
    painter.setPen(over ? look.bad : total > 0 ? look.text : look.muted);
    const QRectF numbers(width() - kNumbers + 8, row.top(), kNumbers - 96, kRow);
    painter.drawText(numbers, Qt::AlignVCenter | Qt::AlignRight,
        capacity > 0 ? tr("%1 of %2").arg(bytesText(total), bytesText(capacity))
                     : bytesText(total));
    if (capacity <= 0)
        return;
    painter.setFont(look.captionFont());
    painter.setPen(over ? look.bad : look.muted);
    painter.drawText(QRectF(width() - 84, row.top(), 84, kRow), Qt::AlignVCenter | Qt::AlignRight,
        over ? tr("%1 over").arg(bytesText(total - capacity))
             : tr("%1 free").arg(bytesText(capacity - total)));
}

bool MemoryBars::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = help->pos().y() / kRow;
    if (row >= 0 && row < rowCount())
        QToolTip::showText(help->globalPos(), rowText(m_rows[static_cast<std::size_t>(row)]), this);
    return true;
}

MemoryLegend::MemoryLegend(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QStringList MemoryLegend::names()
{
    return { tr("weights"), tr("optimizer, gradients"), tr("activations"), tr("buffers") };
}

QSize MemoryLegend::sizeHint() const
{
    const QFontMetrics metrics(theme().captionFont());
    int wide = 4;
    for (const QString& name : names())
        wide += 16 + metrics.horizontalAdvance(name) + 20;
    return { wide - 20, 18 };
}

void MemoryLegend::paintEvent(QPaintEvent*)
{
    const Theme& look = theme();
    const QStringList words = names();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(look.captionFont());
    const QFontMetrics metrics(look.captionFont());
    int x = 0;
    for (std::size_t i = 0; i < look.memory.size(); ++i) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(look.memory[i]);
        painter.drawRoundedRect(QRectF(x, height() / 2 - 5, 10, 10), 2, 2);
        painter.setPen(look.muted);
        const int wide = metrics.horizontalAdvance(words[static_cast<qsizetype>(i)]);
        painter.drawText(QRect(x + 16, 0, wide + 2, height()), Qt::AlignVCenter,
            words[static_cast<qsizetype>(i)]);
        x += 16 + wide + 20;
    }
}

} // namespace stageloom
