// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/box_painter.h"
#include "ui/timeline/timeline_painter.h"

#include <QCoreApplication>
#include <QPainter>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

// Writes from left to right along the foot, as long as there is room.
class Line {
public:
    Line(QPainter& painter, const TimelineScene& scene)
        : m_painter(painter)
        , m_theme(scene.theme)
        , m_x(scene.layout.scale.left)
        , m_right(scene.layout.scale.left + scene.layout.scale.width)
        , m_box(0, scene.layout.bottom, 0, LaneLayout::kLegend)
    {
        painter.setFont(m_theme.captionFont());
    }
    void swatch(const QBrush& brush, const QColor& ground, const QString& text)
    {
        if (!fits(kSwatch + 5 + advance(text)))
            return;
        const QRectF box(m_x, m_box.center().y() - 5, kSwatch, 10);
        m_painter.fillRect(box, ground);
        m_painter.fillRect(box, brush);
        m_x += kSwatch + 5;
        write(text);
        m_x += 16;
    }
    void scale(double limit)
    {
        constexpr int kSteps = 60;
        m_x += 6;
        for (int i = 0; i < kSteps; ++i) {
            const double longer = limit * (2.0 * i / (kSteps - 1) - 1);
            m_painter.fillRect(QRectF(m_x + 2 * i, m_box.center().y() - 5, 2, 10),
                differenceColour(m_theme, longer, limit));
        }
        m_x += 2 * kSteps + 6;
    }
    void write(const QString& text)
    {
        m_painter.setPen(m_theme.muted);
        m_painter.drawText(QRectF(m_x, m_box.top(), advance(text) + 2, m_box.height()),
            Qt::AlignLeft | Qt::AlignVCenter, text);
        m_x += advance(text);
    }
    void atRight(const QString& text)
    {
        if (!fits(advance(text) + 8))
            return;
        m_painter.setPen(m_theme.muted);
        m_painter.drawText(QRectF(m_x, m_box.top(), m_right - m_x, m_box.height()),
            Qt::AlignRight | Qt::AlignVCenter, text);
    }

private:
    static constexpr double kSwatch = 14;
    QPainter& m_painter;
    const Theme& m_theme;
    double m_x, m_right;
    QRectF m_box;
    [[nodiscard]] double advance(const QString& text) const
    {
        return m_painter.fontMetrics().horizontalAdvance(text);
    }
    [[nodiscard]] bool fits(double width) const { return m_x + width <= m_right; }
};

void paintDifference(Line& line, const TimelineScene& scene)
{
    const double limit = scene.difference ? scene.difference->limit() : 0;
    if (scene.compared < 1)
        return line.write(Words::tr("comparing: %1 %").arg(int(scene.compared * 100)));
    if (!scene.difference || scene.difference->matched() == 0)
        return line.write(Words::tr("no operation has one to compare with"));
    const bool pinned = scene.difference->base() == TraceSide::Pinned;
    const QString most = timeText(limit, scene.model.seconds());
    line.write((pinned ? Words::tr("%1 shorter than in A") : Words::tr("%1 shorter than planned"))
                   .arg(most));
    line.scale(limit);
    line.write(Words::tr("%1 longer").arg(most));
    line.write(QStringLiteral("      "));
    line.swatch(scene.theme.track, scene.theme.panel,
        pinned ? Words::tr("not in A") : Words::tr("not planned"));
}

void paintKinds(Line& line, const TimelineScene& scene)
{
    const Theme& t = scene.theme;
    const TimelineSide& side = scene.model.side(shownSide(scene.model, scene.state.mode()));
    const auto has = [&](ActionKind kind) { return side.has(kind); };
    line.swatch(t.stageForward(0), t.panel, Words::tr("forward"));
    line.swatch(t.stage(0), t.panel, Words::tr("backward"));
    if (has(ActionKind::BackwardWeight))
        line.swatch(QBrush(Theme::mix(t.panel, t.stage(0), 0.45), Qt::BDiagPattern), t.stage(0),
            Words::tr("weight gradient"));
    if (has(ActionKind::Recompute))
        line.swatch(t.stageSoft(0), t.stage(0), Words::tr("recompute"));
    if (has(ActionKind::Update))
        line.swatch(t.text, t.panel, Words::tr("update"));
    if (side.hasTransfers())
        line.swatch(Theme::mix(t.muted, t.panel, 0.75), t.panel, Words::tr("transfer"));
    line.swatch(
        QBrush(Theme::mix(t.line, t.muted, 0.7), Qt::BDiagPattern), t.track, Words::tr("idle"));
}

} // namespace

void paintLegend(QPainter& painter, const TimelineScene& scene)
{
    if (scene.layout.bottom >= scene.size.height())
        return;
    painter.fillRect(
        QRectF(0, scene.layout.bottom, scene.size.width(), LaneLayout::kLegend), scene.theme.panel);
    Line line(painter, scene);
    if (scene.state.mode() == TimelineMode::Difference)
        paintDifference(line, scene);
    else
        paintKinds(line, scene);
    line.atRight(scene.state.search().isEmpty() ? Words::tr(
                     "W S zoom · A D move · F all · Backspace back · click a box for its details")
                                                : Words::tr("N next · Shift+N previous"));
}

} // namespace stageloom
