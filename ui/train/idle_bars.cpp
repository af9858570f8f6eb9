// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/idle_bars.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/timeline/span_text.h"
#include <QPainter>
#include <numeric>

namespace stageloom {

namespace {

constexpr int kBar = 18, kRow = 16, kName = 34, kNumber = 56; // px
constexpr double kLeast = 5e-4; // below it reads 0.0 %

double total(const IdleBars::Shares& shares)
{
    return std::accumulate(shares.begin(), shares.end(), 0.0);
}

std::optional<IdleBars::Shares> sharesOf(const BatchesPart& part)
{
    const Window& window = part.counted();
    if (part.trace.spans.empty() || !(window.end > window.begin))
        return std::nullopt;
    return idleShares(part.times(), window.end - window.begin);
}

} // namespace

IdleBars::IdleBars(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setToolTip(
        tr("Shares of the devices' time in the batches shown; they sum to the steady bubble"));
    connect(&themeNotifier(), &ThemeNotifier::changed, this, qOverload<>(&QWidget::update));
}

void IdleBars::show(const LastBatches& batches)
{
    m_planned = batches.isEmpty() ? std::nullopt : sharesOf(batches.plan());
    m_measured = batches.isEmpty() ? std::nullopt : sharesOf(batches.run());
    QStringList words;
    for (const IdleCause cause : causes())
        words << QStringLiteral("%1 %2").arg(idleText(cause),
            percentText(m_measured ? (*m_measured)[static_cast<std::size_t>(cause)] : 0));
    setAccessibleName(tr("Idle device time"));
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

std::vector<IdleCause> IdleBars::causes() const
{
    std::vector<IdleCause> present;
    for (std::size_t i = 0; i < kIdleCauses; ++i)
        if ((m_planned && (*m_planned)[i] > kLeast) || (m_measured && (*m_measured)[i] > kLeast))
            present.push_back(static_cast<IdleCause>(i));
    return present;
}

QSize IdleBars::sizeHint() const
{
    if (!m_planned && !m_measured)
        return { 200, 0 };
    return { 200, 2 * kBar + 8 + kRow * (1 + static_cast<int>(causes().size())) };
}

void IdleBars::paintBar(QPainter& painter, int y, const QString& name, const Shares& shares)
{
    const Theme& t = theme();
    const double most = std::max(
        { m_planned ? total(*m_planned) : 0.0, m_measured ? total(*m_measured) : 0.0, kLeast });
    painter.setPen(t.muted);
    painter.drawText(QRect(0, y, kName, kBar), Qt::AlignVCenter, name);
    const double room = width() - kName;
    double x = kName;
    for (std::size_t i = 0; i < kIdleCauses; ++i) {
        const double wide = room * shares[i] / most;
        painter.fillRect(QRectF(x, y + 2, wide, kBar - 4), t.idleColour(static_cast<IdleCause>(i)));
        x += wide;
    }
}

void IdleBars::paintEvent(QPaintEvent*)
{
    if (!m_planned && !m_measured)
        return;
    const Theme& t = theme();
    QPainter painter(this);
    painter.setFont(t.captionFont());
    if (m_planned)
        paintBar(painter, 0, tr("plan"), *m_planned);
    if (m_measured)
        paintBar(painter, kBar, tr("run"), *m_measured);
    int y = 2 * kBar + 8;
    const auto row = [&](const QString& name, const QString& planned, const QString& measured) {
        painter.drawText(QRect(kName / 2, y, width(), kRow), Qt::AlignVCenter, name);
        painter.drawText(QRect(width() - 2 * kNumber, y, kNumber, kRow),
            Qt::AlignVCenter | Qt::AlignRight, planned);
        painter.drawText(QRect(width() - kNumber, y, kNumber, kRow),
            Qt::AlignVCenter | Qt::AlignRight, measured);
        y += kRow;
    };
    const auto text = [](const std::optional<Shares>& shares, std::size_t i) {
        return shares ? percentText((*shares)[i]) : QStringLiteral("–");
    };
    for (const IdleCause cause : causes()) {
        const auto i = static_cast<std::size_t>(cause);
        painter.fillRect(QRect(0, y + 3, 10, 10), t.idleColour(cause));
        painter.setPen(t.text);
        row(idleText(cause), text(m_planned, i), text(m_measured, i));
    }
    painter.setPen(t.muted);
    row(tr("together: plan, run"), m_planned ? percentText(total(*m_planned)) : QStringLiteral("–"),
        m_measured ? percentText(total(*m_measured)) : QStringLiteral("–"));
}

} // namespace stageloom
