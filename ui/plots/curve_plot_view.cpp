// SPDX-License-Identifier: GPL-3.0-or-later
// What the plot of curves draws of them in the range in sight.
#include "ui/plots/axis_units.h"
#include "ui/plots/curve_plot_private.h"
#include "ui/plots/vertical_fit.h"
#include "ui/theme/theme.h"
#include <cmath>

namespace stageloom {

namespace {

void setData(QCPGraph* graph, const std::vector<DrawnPoint>& points)
{
    QVector<QCPGraphData> data;
    data.reserve(static_cast<qsizetype>(points.size()));
    for (const DrawnPoint& p : points)
        data.append(QCPGraphData(p.x, p.y));
    graph->data()->set(data, true);
}

// Ticks at round numbers of a unit: 0, 5, 10 minutes and not 0, 500, 1000 seconds.
class UnitTicker : public QCPAxisTicker {
public:
    explicit UnitTicker(double unit)
        : m_unit(unit)
    {
    }

protected:
    double getTickStep(const QCPRange& range) override
    {
        return m_unit * QCPAxisTicker::getTickStep({ range.lower / m_unit, range.upper / m_unit });
    }
    QString getTickLabel(
        double tick, const QLocale& locale, QChar formatChar, int precision) override
    {
        return QCPAxisTicker::getTickLabel(tick / m_unit, locale, formatChar, precision);
    }

private:
    double m_unit;
};

void say(QCPItemText* note, const QString& text, double x, bool above)
{
    note->setVisible(!text.isEmpty());
    note->setText(text);
    if (text.isEmpty())
        return;
    // At the spike's column, and on that side of it where there is room.
    const QCPAxisRect* rect = note->clipAxisRect();
    const double share = (rect->axis(QCPAxis::atBottom)->coordToPixel(x) - rect->left())
        / std::max(1, rect->width());
    note->setPositionAlignment(
        (share < 0.5 ? Qt::AlignLeft : Qt::AlignRight) | (above ? Qt::AlignTop : Qt::AlignBottom));
    note->position->setCoords(std::clamp(share, 0.0, 1.0), above ? 0 : 1);
}

} // namespace

void CurvePlot::buildItems()
{
    d->cursorLine = new QCPItemStraightLine(m_plot);
    d->cursorLine->setVisible(false);
    const auto text = [this] {
        auto* item = new QCPItemText(m_plot);
        item->position->setType(QCPItemPosition::ptAxisRectRatio);
        item->setTextAlignment(Qt::AlignLeft);
        item->setVisible(false);
        return item;
    };
    d->above = text();
    d->below = text();
    d->cursorText = text();
    d->cursorText->setPadding({ 6, 4, 6, 4 });
}

// New points for the range in sight, and the vertical range that holds them.
void CurvePlot::rangeMoved()
{
    MinMax firm;
    std::vector<DrawnPoint> faint; // what stands behind the smooth curves
    drawSeries(faint, firm);
    const bool log = m_plot->yAxis->scaleType() == QCPAxis::stLogarithmic;
    nameUnits();
    showVertically(firm, faint, log);
    showCursor();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::drawSeries(std::vector<DrawnPoint>& faint, MinMax& firm)
{
    const QCPRange range = m_plot->xAxis->range();
    const int columns = std::max(16, width());
    std::vector<Private::Shown> shown(d->series.size());
    const Private::Series* first = d->series.data();
    d->forEach([&](const Private::Series& s) {
        Private::Shown& of = shown[static_cast<std::size_t>(&s - first)];
        const auto& x = d->x(s.curve);
        if (d->weight > 0)
            of.line = decimate(x, s.smooth, range.lower, range.upper, columns);
        if (d->weight <= 0 || !d->many())
            of.raw = decimate(x, s.raw, range.lower, range.upper, columns);
        const auto& rings = d->markerX(s.curve);
        for (std::size_t k = 0; k < std::min(rings.size(), s.curve.markerValues.size()); ++k)
            of.rings.push_back({ rings[k], s.curve.markerValues[k] });
    });
    const bool log = m_plot->yAxis->scaleType() == QCPAxis::stLogarithmic;
    const auto seen = [&](const DrawnPoint& p) {
        return std::isfinite(p.y) && p.x >= range.lower && p.x <= range.upper && (!log || p.y > 0);
    };
    d->drawn = 0;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        Private::Series& s = d->series[i];
        setData(s.rawGraph, shown[i].raw);
        setData(s.smoothGraph, shown[i].line);
        setData(s.markers, shown[i].rings);
        d->drawn += shown[i].raw.size() + shown[i].line.size();
        for (const std::vector<DrawnPoint>* list : { &shown[i].line, &shown[i].rings })
            for (const DrawnPoint& p : *list)
                if (seen(p))
                    firm.add(p.y);
        for (const DrawnPoint& p : shown[i].raw)
            if (seen(p) && d->weight > 0)
                faint.push_back(p);
            else if (seen(p))
                firm.add(p.y);
    }
}

void CurvePlot::showVertically(const MinMax& firm, const std::vector<DrawnPoint>& faint, bool log)
{
    constexpr double kMargin = 0.06; // of the height, on either side
    const VerticalFit fit = fitVertical(firm, faint, log, d->whole);
    const auto note = [this](const char* what, const std::optional<DrawnPoint>& p) {
        return p && !d->vertical
            ? tr(what).arg(QString::number(p->y, 'g', 3), placeText(d->axis, p->x))
            : QString();
    };
    say(d->above, note(QT_TR_NOOP("\u25b2 max %1 at %2"), fit.above), fit.above ? fit.above->x : 0,
        true);
    say(d->below, note(QT_TR_NOOP("\u25bc min %1 at %2"), fit.below), fit.below ? fit.below->x : 0,
        false);
    const MinMax& sight = fit.range;
    if (d->vertical) {
        m_plot->yAxis->setRange(*d->vertical);
    } else if (!sight.empty() && log) {
        const double factor
            = sight.high > sight.low ? std::pow(sight.high / sight.low, kMargin) : 2;
        m_plot->yAxis->setRange(sight.low / factor, sight.high * factor);
    } else if (!sight.empty()) {
        const double margin = sight.high > sight.low ? (sight.high - sight.low) * kMargin : 1;
        m_plot->yAxis->setRange(sight.low - margin, sight.high + margin);
    }
}

void CurvePlot::nameUnits()
{
    const AxisUnit unit = axisUnit(d->axis, m_plot->xAxis->range().upper);
    if (m_plot->xAxis->label() == unit.title)
        return;
    m_plot->xAxis->setLabel(unit.title);
    m_plot->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new UnitTicker(unit.size)));
}

QString CurvePlot::horizontalTitle() const
{
    return m_plot->xAxis->label();
}

QStringList CurvePlot::edgeNotes() const
{
    QStringList notes;
    for (const QCPItemText* note : { d->above, d->below })
        if (note->visible())
            notes << note->text();
    return notes;
}

MinMax CurvePlot::verticalRange() const
{
    const QCPRange range = m_plot->yAxis->range();
    return { range.lower, range.upper };
}

QString CurvePlot::readoutAt(double pixel) const
{
    return readout(m_plot->xAxis->pixelToCoord(pixel), true);
}

QString CurvePlot::readout(double at, bool place) const
{
    constexpr qsizetype kMost = 13; // a tooltip, not a table
    QStringList lines;
    for (const Private::Series& s : d->series) {
        const auto& x = d->x(s.curve);
        const std::size_t size = std::min(x.size(), s.values().size());
        if (size == 0)
            continue;
        auto next = std::lower_bound(x.begin(), x.begin() + static_cast<long>(size), at);
        if (next == x.begin() + static_cast<long>(size)
            || (next != x.begin() && at - *(next - 1) < *next - at))
            --next;
        const auto i = static_cast<std::size_t>(next - x.begin());
        const double value = d->weight > 0 ? s.smooth.values()[i] : s.values()[i];
        const QString number = QString::number(value, 'g', 4);
        lines << (s.curve.name.isEmpty() ? number
                                         : QStringLiteral("%1: %2").arg(s.curve.name, number));
        if (lines.size() == 1 && place)
            lines.prepend(placeText(d->axis, x[i]));
        if (lines.size() > kMost)
            break;
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace stageloom
