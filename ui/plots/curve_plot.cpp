// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_plot.h"

#include "ui/plots/curve_plot_private.h"
#include "ui/theme/theme.h"
#include <QMetaObject>
#include <QVBoxLayout>
#include <utility>

namespace stageloom {

namespace {

constexpr int kRing = 2; // px: room for the ring of the focus

QCPScatterStyle::ScatterShape shapeOf(int mark)
{
    constexpr QCPScatterStyle::ScatterShape kShapes[] = { QCPScatterStyle::ssCircle,
        QCPScatterStyle::ssSquare, QCPScatterStyle::ssTriangle, QCPScatterStyle::ssDiamond };
    return kShapes[static_cast<std::size_t>(mark) % std::size(kShapes)];
}

} // namespace

CurvePlot::CurvePlot(QWidget* parent)
    : QWidget(parent)
    , d(std::make_unique<Private>())
    , m_plot(new QCustomPlot(this))
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(kRing, kRing, kRing, kRing);
    box->addWidget(m_plot);
    setMinimumSize(160, 100);
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setFocusPolicy(Qt::NoFocus); // the keys are this widget's
    setAccessibleName(tr("Curves"));
    setAccessibleDescription(tr("Left and Right read the curves out, plus and minus zoom, 0 fits, "
                                "A shows every spike."));
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->setPlottingHint(QCP::phFastPolylines, true);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->axisRect()->setRangeDrag(Qt::Horizontal);
    m_plot->axisRect()->setRangeZoom(Qt::Horizontal);
    m_plot->axisRect()->setMinimumMargins({ 8, 6, 12, 8 }); // half a label's height and width
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    buildItems();
    nameValues();
    connect(m_plot->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
        [this](const QCPRange& range) {
            rangeMoved();
            if (!d->fitted)
                emit rangeChosen(range.lower, range.upper);
        });
    connect(&themeNotifier(), &ThemeNotifier::changed, this, [this] { restyle(); });
    restyle();
}

CurvePlot::~CurvePlot() = default;

void CurvePlot::restyle()
{
    const Theme& t = theme();
    m_plot->setBackground(t.panel);
    styleAxes();
    m_plot->legend->setBrush(t.panel);
    m_plot->legend->setBorderPen(t.line);
    m_plot->legend->setTextColor(t.text);
    m_plot->legend->setFont(t.captionFont());
    for (QCPItemText* text : { d->cursorText, d->above, d->below, d->nothing }) {
        text->setFont(t.captionFont());
        text->setColor(t.text);
    }
    d->nothing->setColor(t.muted);
    d->cursorLine->setPen(QPen(t.muted, 1));
    d->cursorText->setBrush(t.panel);
    d->cursorText->setPen(QPen(t.line, 1));
    for (Private::Series& s : d->series)
        s.curve.colour = t.counterpart(s.curve.colour);
    styleSeries();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::styleAxes()
{
    const Theme& t = theme();
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
}

void CurvePlot::styleSeries()
{
    const Theme& t = theme();
    const bool many = d->many();
    m_plot->setNotAntialiasedElement(QCP::aePlottables, many);
    for (Private::Series& s : d->series) {
        const QColor faint = Theme::mix(s.curve.colour, t.panel, 0.35);
        // What lies behind a smooth curve is told by that curve's pattern.
        s.rawGraph->setPen(QPen(d->weight > 0 ? faint : s.curve.colour, 1,
            d->weight > 0 ? Qt::SolidLine : s.curve.dash));
        s.rawGraph->setVisible(d->weight <= 0 || !many);
        s.smoothGraph->setPen(QPen(s.curve.colour, many ? 1 : 2, s.curve.dash));
        const QColor ring = d->series.size() > 1 ? s.curve.colour : t.warning;
        s.markers->setScatterStyle(QCPScatterStyle(shapeOf(s.curve.mark),
            QPen(ring, d->series.size() > 1 ? 1 : 2), t.panel, d->series.size() > 1 ? 6 : 8));
        s.point->setScatterStyle(
            QCPScatterStyle(shapeOf(s.curve.mark), QPen(t.panel, 1), s.curve.colour, 9));
    }
}

void CurvePlot::showPlanned()
{
    for (QCPItemStraightLine* line : std::exchange(d->planned, {}))
        m_plot->removeItem(line);
    for (const Private::Series& s : d->series)
        if (s.curve.planned) {
            auto* line = new QCPItemStraightLine(m_plot);
            line->setPen(QPen(s.curve.colour, 1, Qt::DashLine));
            line->point1->setCoords(0, *s.curve.planned);
            line->point2->setCoords(1, *s.curve.planned);
            d->planned.push_back(line);
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
        s.point = m_plot->addGraph();
        s.point->setLineStyle(QCPGraph::lsNone);
        s.point->removeFromLegend();
    }
    d->forEach([this](Private::Series& s) {
        s.raw.assign(std::move(s.curve.values));
        d->smooth(s);
    });
    styleSeries();
    showPlanned();
    d->fitted = true;
    d->whole = false;
    d->vertical.reset();
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
    fitRange();
    // A run that is attached to brings its points by the thousand: one frame for all of them.
    if (!std::exchange(d->pending, true))
        QMetaObject::invokeMethod(
            this, [this] { refresh(); }, Qt::QueuedConnection);
}

void CurvePlot::appendMarker(
    std::size_t curve, double step, double tokens, double seconds, double value)
{
    if (curve >= d->series.size())
        return;
    Curve& of = d->series[curve].curve;
    of.markerSteps.push_back(step);
    of.markerTokens.push_back(tokens);
    of.markerSeconds.push_back(seconds);
    of.markerValues.push_back(value);
    if (!std::exchange(d->pending, true))
        QMetaObject::invokeMethod(
            this, [this] { refresh(); }, Qt::QueuedConnection);
}

void CurvePlot::setAxis(CurveAxis axis)
{
    d->axis = axis;
    d->fitted = true;
    d->cursor.reset();
    refresh();
}

void CurvePlot::setFromZero(bool on)
{
    d->fromZero = on;
    refresh();
}

void CurvePlot::setNamesAxis(bool on)
{
    d->namesAxis = on;
    m_plot->xAxis->setLabel(on ? d->axisTitle : QString());
}

void CurvePlot::setReadsOut(bool on)
{
    d->readsOut = on;
    showCursor();
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
    nameValues();
    d->vertical.reset();
    refresh();
}

void CurvePlot::setLegend(bool on)
{
    m_plot->legend->setVisible(on);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::setValueTitle(const QString& title)
{
    m_plot->yAxis->setLabel(title);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::fit()
{
    d->fitted = true;
    d->whole = false;
    d->vertical.reset();
    refresh();
}

void CurvePlot::fitAll()
{
    d->fitted = d->whole = true;
    d->vertical.reset();
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
    d->forEach([this](Private::Series& s) { d->smoothEnd(s); });
    fitRange();
    rangeMoved();
}

std::size_t CurvePlot::pointsDrawn() const
{
    return d->drawn;
}

std::vector<CurvePlot::CurveLook> CurvePlot::curves() const
{
    std::vector<CurveLook> looks;
    for (const Private::Series& s : d->series)
        looks.push_back({ s.curve.name, s.curve.colour, s.curve.dash });
    return looks;
}

void CurvePlot::paintOn(QPainter& painter, const QRect& place)
{
    auto& vector = static_cast<QCPPainter&>(painter); // QCustomPlot's has modes beyond QPainter's
    painter.save();
    painter.translate(place.topLeft());
    m_plot->toPainter(&vector, place.width(), place.height());
    painter.restore();
}

} // namespace stageloom
