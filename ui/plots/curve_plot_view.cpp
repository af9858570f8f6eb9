// SPDX-License-Identifier: GPL-3.0-or-later
// What the plot of curves draws of them in the range in sight.
#include "core/base/units.h"
#include "ui/plots/axis_units.h"
#include "ui/plots/curve_plot_private.h"
#include "ui/plots/vertical_fit.h"
#include "ui/theme/theme.h"
#include <cmath>
#include <limits>

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

// A number at a tick: thousands apart, as the tables have them.
QString tickText(double value)
{
    const bool whole
        = std::fabs(value - std::round(value)) < 1e-9 * std::max(1.0, std::fabs(value));
    if (whole && std::fabs(value) < 1e9)
        return QString::fromStdString(groupDigits(std::llround(value)));
    return QString::number(value, 'g', 5);
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
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        const double value = tick / m_unit;
        return tickText(std::fabs(value) < 1e-12 ? 0 : value);
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
    d->nothing = text();
    d->nothing->setPositionAlignment(Qt::AlignCenter);
    d->nothing->position->setCoords(0.5, 0.5);
    d->nothing->setText(tr("no values yet"));
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
    const bool empty = isEmpty(); // axes without a point would show numbers that nobody measured
    d->nothing->setVisible(empty);
    for (QCPAxis* axis : { m_plot->xAxis, m_plot->yAxis })
        axis->setTickLabels(!empty);
    m_plot->yAxis->grid()->setVisible(!empty);
    // So many labels as stand apart.
    constexpr int kLabelWidth = 52, kLabelHeight = 24; // px
    const QRect room = m_plot->axisRect()->rect();
    m_plot->xAxis->ticker()->setTickCount(std::clamp(room.width() / kLabelWidth, 2, 8));
    if (!log)
        m_plot->yAxis->ticker()->setTickCount(std::clamp(room.height() / kLabelHeight, 2, 6));
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
    for (const Private::Series& s : d->series)
        if (s.curve.planned && !(log && *s.curve.planned <= 0))
            firm.add(*s.curve.planned);
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
        const double low = d->fromZero ? std::min(0.0, sight.low) : sight.low;
        // A flat line is no cliff: around it there is a twentieth of its value at least.
        const double flat = std::max(std::fabs(sight.high), 1e-6) * 0.05;
        const double margin = std::max(sight.high - low, flat) * kMargin;
        const double extra = std::max(0.0, flat - (sight.high - low)) / 2;
        m_plot->yAxis->setRange(
            d->fromZero && low == 0 ? 0 : low - margin - extra, sight.high + margin + extra);
    }
}

void CurvePlot::nameUnits()
{
    const AxisUnit unit = axisUnit(d->axis, m_plot->xAxis->range().upper);
    if (d->axisTitle == unit.title)
        return;
    d->axisTitle = unit.title;
    m_plot->xAxis->setLabel(d->namesAxis ? unit.title : QString());
    m_plot->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new UnitTicker(unit.size)));
}

void CurvePlot::nameValues()
{
    const bool log = m_plot->yAxis->scaleType() == QCPAxis::stLogarithmic;
    m_plot->yAxis->setTicker(QSharedPointer<QCPAxisTicker>(
        log ? static_cast<QCPAxisTicker*>(new QCPAxisTickerLog) : new UnitTicker(1)));
}

QString CurvePlot::horizontalTitle() const
{
    return d->axisTitle;
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

std::optional<std::size_t> CurvePlot::nearest(const Curve& curve, std::size_t size, double at) const
{
    const auto& x = d->x(curve);
    size = std::min(size, x.size());
    if (size == 0)
        return std::nullopt;
    const auto end = x.begin() + static_cast<std::ptrdiff_t>(size);
    auto next = std::lower_bound(x.begin(), end, at);
    if (next == end || (next != x.begin() && at - *(next - 1) < *next - at))
        --next;
    return static_cast<std::size_t>(next - x.begin());
}

std::optional<double> CurvePlot::valueAt(
    std::size_t curve, const std::optional<double>& place) const
{
    if (curve >= d->series.size())
        return std::nullopt;
    const Private::Series& s = d->series[curve];
    const std::vector<double>& values
        = d->weight > 0 && !s.smooth.values().empty() ? s.smooth.values() : s.values();
    if (values.empty())
        return std::nullopt;
    const double at = place.value_or(std::numeric_limits<double>::infinity());
    const auto i = nearest(s.curve, values.size(), at);
    // Where the curve has ended there is no value of it.
    constexpr double kBeyond = 1.02;
    if (!i || (place && *i + 1 == values.size() && at > kBeyond * d->x(s.curve)[*i] + 1))
        return std::nullopt;
    return values[*i];
}

QString CurvePlot::placeAt(double at) const
{
    std::optional<double> place; // of the curve that goes on nearest to it: others may have ended
    for (const Private::Series& s : d->series)
        if (const auto i = nearest(s.curve, s.values().size(), at)) {
            const double x = d->x(s.curve)[*i];
            if (!place || std::fabs(x - at) < std::fabs(*place - at))
                place = x;
        }
    return placeText(d->axis, place.value_or(at));
}

bool CurvePlot::isEmpty() const
{
    return std::all_of(d->series.begin(), d->series.end(), [](const Private::Series& s) {
        return s.values().empty() && s.curve.markerValues.empty();
    });
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
        const std::size_t i = *nearest(s.curve, size, at);
        const double value = i < s.smooth.size() ? s.smooth.values()[i] : s.values()[i];
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
