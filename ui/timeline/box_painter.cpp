// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/box_painter.h"

#include "ui/timeline/span_text.h"
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace stageloom {

QColor differenceColour(const Theme& theme, double longer, double limit)
{
    const QColor middle = Theme::mix(theme.muted, theme.panel, 0.3);
    if (!(limit > 0))
        return middle;
    // The root: small differences are told apart too.
    const double share = std::sqrt(std::min(1.0, std::fabs(longer) / limit));
    return Theme::mix(longer > 0 ? theme.longer : theme.shorter, middle, share);
}

QColor BoxPainter::differenceFill(const VisibleBox& box) const
{
    double longer = 0;
    if (box.span) {
        const auto of = difference->of(model, *box.span);
        if (!of)
            return theme.track; // not in the plan
        longer = of->longer;
    } else {
        const MinMax all = difference->longer(device, box.from, box.to);
        if (all.empty())
            return theme.track;
        longer = -all.low > all.high ? all.low : all.high; // the largest stands
    }
    return differenceColour(theme, longer, difference->limit());
}

QColor BoxPainter::fill(const VisibleBox& box) const
{
    if (difference)
        return differenceFill(box);
    QColor colour;
    switch (box.summary.kind) {
    case ActionKind::Forward:
        colour = theme.stageForward(box.summary.stage);
        break;
    case ActionKind::Recompute:
        colour = theme.stageSoft(box.summary.stage);
        break;
    case ActionKind::Update:
        colour = theme.text;
        break;
    case ActionKind::Send:
    case ActionKind::Recv:
    case ActionKind::AllReduce:
        colour = theme.idleColour(IdleCause::Link);
        break;
    default:
        colour = theme.stage(box.summary.stage);
    }
    return pale ? Theme::mix(colour, theme.panel, 0.62) : colour;
}

void BoxPainter::paintNumber(QPainter& painter, const VisibleBox& box, const QColor& ground) const
{
    const QString text = boxText(model.span(*box.span));
    if (text.isEmpty() || box.rect.height() < 12)
        return;
    const double width = painter.fontMetrics().horizontalAdvance(text);
    if (width + 1 > box.rect.width())
        return;
    painter.setPen(theme.textOn(ground));
    painter.drawText(box.rect, Qt::AlignCenter, text);
}

void BoxPainter::paintBox(QPainter& painter, const VisibleBox& box) const
{
    const QColor colour = fill(box);
    // A hair between neighbours, as long as it leaves most of the box.
    QRectF r = box.rect;
    if (r.width() > 4)
        r.adjust(0.5, 0, -0.5, 0);
    painter.fillRect(r, colour);
    if (r.width() <= 4)
        return;
    if (box.summary.kind == ActionKind::BackwardWeight)
        painter.fillRect(r, QBrush(Theme::mix(theme.panel, colour, 0.45), Qt::BDiagPattern));
    if (Theme::hasPattern(box.summary.stage))
        painter.fillRect(r, QBrush(Theme::mix(theme.panel, colour, 0.35), Qt::Dense6Pattern));
    if (box.summary.kind == ActionKind::Recompute) {
        painter.setPen(theme.stage(box.summary.stage));
        painter.drawRect(r.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (box.span)
        paintNumber(painter, box, colour);
}

void BoxPainter::paint(QPainter& painter, const std::vector<VisibleBox>& boxes) const
{
    painter.setFont(font);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const VisibleBox& box = boxes[i];
        if (box.rect.width() > 1.01) {
            paintBox(painter, box);
            continue;
        }
        // Columns in a row of one colour and about one coverage go down as a single rectangle.
        const auto step = [](const VisibleBox& b) { return std::lround(b.coverage * 16); };
        QRectF run = box.rect;
        while (i + 1 < boxes.size() && boxes[i + 1].rect.width() <= 1.01
            && boxes[i + 1].rect.left() - run.right() < 0.01
            && boxes[i + 1].summary.kind == box.summary.kind
            && boxes[i + 1].summary.stage == box.summary.stage && step(boxes[i + 1]) == step(box)
            && !difference)
            run.setRight(boxes[++i].rect.right());
        // What deviates must not fade for being short.
        const double share = difference ? 1 : std::max(0.12, static_cast<double>(step(box)) / 16);
        painter.fillRect(run, Theme::mix(fill(box), theme.track, share));
    }
}

} // namespace stageloom
