// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/box_painter.h"

#include "ui/theme/stage_fill.h"
#include "ui/timeline/numbering.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_ink.h"
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace stageloom {

namespace {

constexpr int kSmallNumber = 9; // px

// Theme::mix by the 256th, for thousands of columns a frame.
QRgb mixed(QRgb over, QRgb under, double share)
{
    const auto part = static_cast<unsigned>(share * 256 + 0.5);
    const auto channel = [&](unsigned shift) {
        const unsigned a = over >> shift & 0xff, b = under >> shift & 0xff;
        return (a * part + b * (256 - part) + 128) >> 8 << shift;
    };
    return 0xff000000 | channel(16) | channel(8) | channel(0);
}

} // namespace

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
        colour = Theme::mix(theme.muted, theme.panel, 0.75); // no stage's
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
    // In a smaller face before in none; and where the lane's longest number has no room, a shorter
    // one is left out too: 9 must not be the last number in sight.
    QFont small = font;
    small.setPixelSize(kSmallNumber);
    const double least = ink.number(QString(digits, QLatin1Char('0')), small).size().width();
    if (std::max(least, ink.number(text, small).size().width()) > box.rect.width())
        return;
    const bool fits = ink.number(text, font).size().width() + 1 <= box.rect.width();
    const QStaticText* shaped = &ink.number(text, fits ? font : small);
    const QSizeF size = shaped->size();
    painter.setPen(theme.textOn(ground));
    const QPointF corner(
        box.rect.center().x() - size.width() / 2, box.rect.center().y() - size.height() / 2);
    if (!fits)
        painter.setFont(small);
    painter.drawStaticText(corner, *shaped);
    if (!fits)
        painter.setFont(font);
}

void BoxPainter::paintBox(QPainter& painter, const VisibleBox& box) const
{
    const QColor colour = fill(box);
    // A hair between neighbours, as long as it leaves most of the box.
    QRectF r = box.rect;
    if (r.width() > 4)
        r.adjust(0.5, 0, -0.5, 0);
    if (!difference && isCompute(box.summary.kind) && r.width() > 4)
        painter.fillRect(r, stageFill(box.summary.stage, colour));
    else
        painter.fillRect(r, colour);
    if (r.width() <= 4)
        return;
    if (box.summary.kind == ActionKind::BackwardWeight)
        painter.fillRect(r, QBrush(Theme::mix(theme.panel, colour, 0.45), Qt::BDiagPattern));
    if (box.summary.kind == ActionKind::Recompute) {
        painter.setPen(theme.stage(box.summary.stage));
        painter.drawRect(r.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (box.span)
        paintNumber(painter, box, colour);
}

// A stretch of boxes one column wide goes down as a picture of one line, drawn as high as the lane:
// column by column would touch every line of the image for each of them.
std::size_t BoxPainter::paintColumns(
    QPainter& painter, const std::vector<VisibleBox>& boxes, std::size_t from) const
{
    constexpr std::size_t kFew = 4; // columns that cost less one by one than as a picture
    std::vector<QRgb> line;
    const QRgb ground = theme.track.rgb();
    QRgb colour = 0;
    const VisibleBox* coloured = nullptr; // neighbours are mostly of one stage and kind
    std::size_t i = from;
    const auto isColumn = [&](const VisibleBox& b) { return b.rect.width() <= 1.01; };
    for (; i < boxes.size() && isColumn(boxes[i]); ++i) {
        const VisibleBox& box = boxes[i];
        if (i > from && std::fabs(box.rect.left() - boxes[i - 1].rect.right()) > 0.01)
            break;
        // What deviates must not fade for being short.
        if (difference || coloured == nullptr || coloured->summary.kind != box.summary.kind
            || coloured->summary.stage != box.summary.stage)
            colour = fill(box).rgb();
        coloured = &box;
        line.push_back(difference ? colour : mixed(colour, ground, std::max(0.12, box.coverage)));
    }
    const QRectF& first = boxes[from].rect;
    if (line.size() <= kFew) {
        for (std::size_t k = 0; k < line.size(); ++k)
            painter.fillRect(first.translated(static_cast<double>(k), 0), QColor(line[k]));
        return i;
    }
    const QImage picture(reinterpret_cast<const uchar*>(line.data()), static_cast<int>(line.size()),
        1, QImage::Format_RGB32);
    painter.drawImage(
        QRectF(first.left(), first.top(), static_cast<double>(line.size()), first.height()),
        picture);
    return i;
}

void BoxPainter::paint(QPainter& painter, const std::vector<VisibleBox>& boxes)
{
    painter.setFont(font);
    int longest = 0; // microbatch
    for (const VisibleBox& box : boxes)
        if (box.span && carriesMicrobatch(box.summary.kind))
            longest = std::max(longest, model.span(*box.span).microbatch);
    digits = static_cast<int>(QString::number(shownNumber(longest)).size());
    for (std::size_t i = 0; i < boxes.size();) {
        if (boxes[i].rect.width() <= 1.01)
            i = paintColumns(painter, boxes, i);
        else
            paintBox(painter, boxes[i++]);
    }
}

} // namespace stageloom
