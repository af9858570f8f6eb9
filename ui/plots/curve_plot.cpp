// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_plot.h"

#include "ui/plots/decimation.h"
#include "ui/theme/theme.h"
#include <QMetaObject>
#include <QMouseEvent>
#include <QSvgGenerator>
#include <QVBoxLayout>
#include <QtConcurrentMap>
#include <cmath>
#include <qcustomplot.h>
#include <utility>

namespace stageloom {

struct CurvePlot::Private {
    struct Series {
        Curve curve; // its values live in `raw`
        MinMaxPyramid raw, smooth;
        Smoother smoother; // at the curve's end, for append
        QCPGraph* rawGraph = nullptr; // owned by the plot
        QCPGraph* smoothGraph = nullptr;
        QCPGraph* markers = nullptr;
        [[nodiscard]] const std::vector<double>& values() const { return raw.values(); }
    };
    std::vector<Series> series;
    CurveAxis axis = CurveAxis::Step;
    double weight = 0;
    bool fitted = true; // shows all, and goes on doing so as points come
    bool pending = false; // a refresh is on its way
    std::size_t drawn = 0;

    [[nodiscard]] const std::vector<double>& x(const Curve& curve) const
    {
        switch (axis) {
        case CurveAxis::Tokens:
            return curve.tokens;
        case CurveAxis::Seconds:
            return curve.seconds;
        case CurveAxis::Step:
            break;
        }
        return curve.steps;
    }
    void smooth(Series& s) const
    {
        s.smoother = Smoother(weight);
        std::vector<double> line(weight > 0 ? s.values().size() : 0);
        for (std::size_t i = 0; i < line.size(); ++i)
            line[i] = s.smoother.next(s.values()[i]);
        s.smooth.assign(std::move(line));
    }
    // Curves are independent of each other: all processors take their share.
    template <typename Work> void forEach(Work work) { QtConcurrent::blockingMap(series, work); }
};

namespace {

void setData(QCPGraph* graph, const std::vector<DrawnPoint>& points)
{
    QVector<QCPGraphData> data;
    data.reserve(static_cast<qsizetype>(points.size()));
    for (const DrawnPoint& p : points)
        data.append(QCPGraphData(p.x, p.y));
    graph->data()->set(data, true);
}

} // namespace

CurvePlot::CurvePlot(QWidget* parent)
    : QWidget(parent)
    , d(std::make_unique<Private>())
    , m_plot(new QCustomPlot(this))
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(m_plot);
    setMinimumSize(160, 100);
    setAccessibleName(tr("Curves"));
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->setPlottingHint(QCP::phFastPolylines, true);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->axisRect()->setRangeDrag(Qt::Horizontal);
    m_plot->axisRect()->setRangeZoom(Qt::Horizontal);
    m_plot->axisRect()->setMinimumMargins({ 8, 6, 12, 8 }); // half a label's height and width
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    connect(m_plot->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
        [this] { rangeMoved(); });
    connect(&themeNotifier(), &ThemeNotifier::changed, this, [this] { restyle(); });
    restyle();
}

CurvePlot::~CurvePlot() = default;

void CurvePlot::restyle()
{
    const Theme& t = theme();
    m_plot->setBackground(t.panel);
    for (QCPAxis* axis : { m_plot->xAxis, m_plot->yAxis }) {
        axis->setBasePen(Qt::NoPen);
        axis->setTickPen(Qt::NoPen);
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelColor(t.muted);
        axis->setLabelColor(t.muted);
        axis->setTickLabelFont(t.captionFont());
        axis->setLabelFont(t.captionFont());
        axis->grid()->setPen(QPen(Theme::mix(t.line, t.panel, 0.6), 1));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->legend->setBrush(t.panel);
    m_plot->legend->setBorderPen(t.line);
    m_plot->legend->setTextColor(t.text);
    m_plot->legend->setFont(t.captionFont());
    for (Private::Series& s : d->series)
        s.curve.colour = t.counterpart(s.curve.colour);
    styleSeries();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::styleSeries()
{
    const Theme& t = theme();
    // Antialiased wide lines cost ten times a thin one; among many curves nobody sees them.
    const bool many = d->series.size() > 20;
    m_plot->setNotAntialiasedElement(QCP::aePlottables, many);
    for (Private::Series& s : d->series) {
        const QColor faint = Theme::mix(s.curve.colour, t.panel, 0.35);
        s.rawGraph->setPen(QPen(d->weight > 0 ? faint : s.curve.colour, 1));
        s.rawGraph->setVisible(d->weight <= 0 || !many);
        s.smoothGraph->setPen(QPen(s.curve.colour, many ? 1 : 2));
        const QColor ring = d->series.size() > 1 ? s.curve.colour : t.warning;
        s.markers->setScatterStyle(
            QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(ring, 2), t.panel, 8));
    }
}

void CurvePlot::setCurves(std::vector<Curve> curves)
{
    m_plot->clearGraphs();
    d->series.clear();
    d->series.resize(curves.size());
    for (std::size_t i = 0; i < curves.size(); ++i) {
        Private::Series& s = d->series[i];
        s.curve = std::move(curves[i]);
        s.rawGraph = m_plot->addGraph();
        s.rawGraph->setAdaptiveSampling(false);
        s.rawGraph->removeFromLegend();
        s.smoothGraph = m_plot->addGraph();
        s.smoothGraph->setName(s.curve.name);
        s.smoothGraph->setAdaptiveSampling(false);
        s.markers = m_plot->addGraph();
        s.markers->setLineStyle(QCPGraph::lsNone);
        s.markers->removeFromLegend();
    }
    d->forEach([this](Private::Series& s) {
        s.raw.assign(std::move(s.curve.values));
        d->smooth(s);
    });
    styleSeries();
    d->fitted = true;
    refresh();
}

void CurvePlot::append(std::size_t curve, double step, double tokens, double seconds, double value)
{
    if (curve >= d->series.size())
        return;
    Private::Series& s = d->series[curve];
    s.curve.steps.push_back(step);
    s.curve.tokens.push_back(tokens);
    s.curve.seconds.push_back(seconds);
    s.raw.append(value);
    if (d->weight > 0)
        s.smooth.append(s.smoother.next(value));
    fitRange();
    // A run that is attached to brings its points by the thousand: one frame for all of them.
    if (!std::exchange(d->pending, true))
        QMetaObject::invokeMethod(
            this, [this] { refresh(); }, Qt::QueuedConnection);
}

void CurvePlot::setAxis(CurveAxis axis)
{
    d->axis = axis;
    d->fitted = true;
    refresh();
}

void CurvePlot::setSmoothing(double weight)
{
    d->weight = std::clamp(weight, 0.0, 0.9999);
    d->forEach([this](Private::Series& s) { d->smooth(s); });
    styleSeries();
    refresh();
}

void CurvePlot::setLogarithmic(bool on)
{
    m_plot->yAxis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    QSharedPointer<QCPAxisTicker> ticker(on ? new QCPAxisTickerLog : new QCPAxisTicker);
    m_plot->yAxis->setTicker(ticker);
    refresh();
}

void CurvePlot::setLegend(bool on)
{
    m_plot->legend->setVisible(on);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::fit()
{
    d->fitted = true;
    refresh();
}

void CurvePlot::setRange(double left, double right)
{
    d->fitted = false;
    m_plot->xAxis->setRange(left, right);
}

void CurvePlot::fitRange()
{
    if (!d->fitted)
        return;
    MinMax all;
    for (const Private::Series& s : d->series)
        if (const auto& x = d->x(s.curve); !x.empty() && !s.values().empty()) {
            all.add(x.front());
            all.add(x[std::min(x.size(), s.values().size()) - 1]);
        }
    const QSignalBlocker quiet(m_plot->xAxis);
    if (!all.empty())
        m_plot->xAxis->setRange(all.low, all.high > all.low ? all.high : all.low + 1);
}

void CurvePlot::refresh()
{
    d->pending = false;
    fitRange();
    const QString titles[] = { tr("steps"), tr("tokens"), tr("seconds") };
    m_plot->xAxis->setLabel(titles[static_cast<std::size_t>(d->axis)]);
    rangeMoved();
}

// New points for the range in sight, and the vertical range that holds them.
void CurvePlot::rangeMoved()
{
    const QCPRange range = m_plot->xAxis->range();
    const int columns = std::max(16, width());
    struct Shown {
        std::vector<DrawnPoint> raw, line;
    };
    std::vector<Shown> shown(d->series.size());
    const Private::Series* first = d->series.data();
    const bool many = d->series.size() > 20;
    d->forEach([&](const Private::Series& s) {
        Shown& of = shown[static_cast<std::size_t>(&s - first)];
        const auto& x = d->x(s.curve);
        if (d->weight > 0)
            of.line = decimate(x, s.smooth, range.lower, range.upper, columns);
        if (d->weight <= 0 || !many) // the faint raw curves of many runs are only noise
            of.raw = decimate(x, s.raw, range.lower, range.upper, columns);
    });
    MinMax sight;
    std::vector<double> faint; // what stands behind the smooth curves
    const bool log = m_plot->yAxis->scaleType() == QCPAxis::stLogarithmic;
    d->drawn = 0;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        Private::Series& s = d->series[i];
        setData(s.rawGraph, shown[i].raw);
        setData(s.smoothGraph, shown[i].line);
        std::vector<DrawnPoint> rings;
        if (d->axis == CurveAxis::Step)
            for (std::size_t k = 0;
                 k < std::min(s.curve.markerSteps.size(), s.curve.markerValues.size()); ++k)
                rings.push_back({ s.curve.markerSteps[k], s.curve.markerValues[k] });
        setData(s.markers, rings);
        d->drawn += shown[i].raw.size() + shown[i].line.size();
        for (const std::vector<DrawnPoint>* list : { &shown[i].raw, &shown[i].line, &rings })
            for (const DrawnPoint& p : *list) {
                if (!std::isfinite(p.y) || p.x < range.lower || p.x > range.upper
                    || (log && p.y <= 0))
                    continue;
                if (list == &shown[i].raw && d->weight > 0)
                    faint.push_back(p.y);
                else
                    sight.add(p.y);
            }
    }
    // One step that flies off must not press all others into a line: the smooth curve tells of it.
    constexpr double kRare = 0.02;
    if (!faint.empty())
        sight.add(middleOf(std::move(faint), kRare));
    if (!sight.empty())
        fitVertically(sight, log);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::fitVertically(const MinMax& sight, bool log)
{
    constexpr double kMargin = 0.06; // of the height, on either side
    if (log) {
        const double factor
            = sight.high > sight.low ? std::pow(sight.high / sight.low, kMargin) : 2;
        m_plot->yAxis->setRange(sight.low / factor, sight.high * factor);
        return;
    }
    const double margin = sight.high > sight.low ? (sight.high - sight.low) * kMargin : 1;
    m_plot->yAxis->setRange(sight.low - margin, sight.high + margin);
}

MinMax CurvePlot::verticalRange() const
{
    const QCPRange range = m_plot->yAxis->range();
    return { range.lower, range.upper };
}

QString CurvePlot::readoutAt(double pixel) const
{
    const double at = m_plot->xAxis->pixelToCoord(pixel);
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
        lines << QStringLiteral("%1: %2").arg(s.curve.name, QString::number(value, 'g', 4));
        if (lines.size() == 1)
            lines.prepend(
                QStringLiteral("%1 %2").arg(m_plot->xAxis->label(), QString::number(x[i], 'g', 6)));
        if (lines.size() > 13) // a tooltip, not a table
            break;
    }
    return lines.join(QLatin1Char('\n'));
}

std::size_t CurvePlot::pointsDrawn() const
{
    return d->drawn;
}

bool CurvePlot::savePng(const QString& path)
{
    return m_plot->savePng(path, width(), height(), 2);
}

bool CurvePlot::saveSvg(const QString& path)
{
    QSvgGenerator svg;
    svg.setFileName(path);
    svg.setSize(size());
    svg.setViewBox(rect());
    QCPPainter painter;
    if (!painter.begin(&svg))
        return false;
    m_plot->toPainter(&painter, width(), height());
    return painter.end();
}

bool CurvePlot::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseButtonDblClick:
        fit();
        break;
    case QEvent::MouseButtonPress:
    case QEvent::Wheel:
        d->fitted = false;
        break;
    case QEvent::Resize:
        rangeMoved();
        break;
    case QEvent::MouseMove:
        m_plot->setToolTip(readoutAt(static_cast<QMouseEvent*>(event)->position().x()));
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace stageloom
