// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/link_legend.h"

#include "ui/theme/theme.h"
#include "ui/topology/link_look.h"
#include <QFontMetrics>
#include <QPainter>
#include <map>

namespace stageloom {

namespace {

constexpr int kSwatch = 26, kRow = 20, kBetween = 18; // px

} // namespace

LinkLegend::LinkLegend(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Kinds of link"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&themeNotifier(), &ThemeNotifier::changed, this, qOverload<>(&QWidget::update));
}

void LinkLegend::setTopology(const Topology& topology, bool planned, bool amber)
{
    std::map<std::pair<LinkKind, double>, int> pairs;
    for (const Link& link : topology.links)
        ++pairs[{ link.kind, -bandwidthOf(link).value_or(0) }]; // fastest of a kind first
    m_entries.clear();
    QStringList spoken;
    for (const auto& [key, count] : pairs) {
        const std::optional<double> rate
            = key.second < 0 ? std::optional<double>(-key.second) : std::nullopt;
        const QString text
            = tr("%1 %2, %n pair(s)", nullptr, count)
                  .arg(linkName(key.first), rate ? rateText(rate) : tr("of unknown bandwidth"));
        m_entries.push_back(
            { planned ? trafficPen(key.first, true, 0, 1) : linkPen(key.first, -key.second),
                text });
        spoken << text;
    }
    if (planned) {
        m_entries.push_back(
            { trafficPen(LinkKind::NvLink, true, 1, 1), tr("wider: more bytes a step") });
        spoken << m_entries.back().text;
    }
    if (amber) {
        m_entries.push_back({ trafficPen(LinkKind::Host, false, 0.5, 1), tr("no peer access") });
        spoken << m_entries.back().text;
    }
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

std::vector<QRect> LinkLegend::places(int width) const
{
    const QFontMetrics metrics(theme().captionFont());
    std::vector<QRect> all;
    int x = 0, y = 0;
    for (const Entry& entry : m_entries) {
        const int wide = kSwatch + 6 + metrics.horizontalAdvance(entry.text) + 2;
        if (x > 0 && x + wide > width) {
            x = 0;
            y += kRow;
        }
        all.emplace_back(x, y, wide, kRow);
        x += wide + kBetween;
    }
    return all;
}

int LinkLegend::heightForWidth(int width) const
{
    const auto all = places(width);
    return all.empty() ? 0 : all.back().bottom() + 1;
}

QSize LinkLegend::sizeHint() const
{
    return { 200, heightForWidth(std::max(200, width())) };
}

void LinkLegend::paintEvent(QPaintEvent*)
{
    const Theme& look = theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(look.captionFont());
    const auto all = places(width());
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const QRect place = QStyle::visualRect(layoutDirection(), rect(), all[i]);
        const QRect line = QStyle::visualRect(
            layoutDirection(), place, QRect(place.left(), place.top(), kSwatch, kRow));
        painter.setPen(m_entries[i].pen);
        painter.drawLine(line.left(), line.center().y(), line.right(), line.center().y());
        painter.setPen(look.muted);
        painter.drawText(place.adjusted(isRightToLeft() ? 0 : kSwatch + 6, 0,
                             isRightToLeft() ? -kSwatch - 6 : 0, 0),
            Qt::AlignVCenter | Qt::AlignLeading, m_entries[i].text);
    }
}

} // namespace stageloom
