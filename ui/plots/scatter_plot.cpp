// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/scatter_plot.h"

#include "ui/theme/theme.h"
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <qcustomplot.h>

namespace stageloom {

namespace {

constexpr double kLeastSpan = 0.04; // of the value: near-equals must not look like a cliff

QCPRange spanOf(double low, double high)
{
    const double middle = (low + high) / 2;
    const double half = std::max((high - low) * 0.58, std::abs(middle) * kLeastSpan / 2);
    return { middle - std::max(half, 1e-9), middle + std::max(half, 1e-9) };
}

// "45 k" where the ticks are thousands.
class CountTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        return tick < 1000 ? QString::number(tick, 'g', 4)
                           : QStringLiteral("%1 k").arg(tick / 1000, 0, 'g', 4);
    }
};

} // namespace

ScatterPlot::ScatterPlot(QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this))
    , m_others(m_plot->addGraph())
    , m_front(m_plot->addGraph())
    , m_impossible(m_plot->addGraph())
    , m_chosen(m_plot->addGraph())
    , m_line(new QCPItemStraightLine(m_plot))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(140, 96);
    setAccessibleName(tr("Plans by memory and speed"));
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_others->setLineStyle(QCPGraph::lsNone);
    m_impossible->setLineStyle(QCPGraph::lsNone);
    m_chosen->setLineStyle(QCPGraph::lsNone);
    m_line->setVisible(false);
    const auto numbers = QSharedPointer<CountTicker>::create();
    for (QCPAxis* axis : { m_plot->xAxis, m_plot->yAxis })
        axis->setSubTicks(false);
    numbers->setTickCount(3);
    m_plot->yAxis->setTicker(numbers);
    m_plot->xAxis->ticker()->setTickCount(5);
    m_plot->axisRect()->setMinimumMargins({ 8, 8, 8, 4 });
    recolour();
    connect(&themeNotifier(), &ThemeNotifier::changed, this, &ScatterPlot::recolour);
}

void ScatterPlot::recolour()
{
    const Theme& t = theme();
    const QColor dot = Theme::mix(t.muted, t.panel, 0.55);
    m_plot->setBackground(t.panel);
    for (QCPAxis* axis : { m_plot->xAxis, m_plot->yAxis }) {
        axis->setBasePen(QPen(t.line));
        axis->setTickPen(QPen(t.line));
        axis->setTickLabelColor(t.muted);
        axis->setTickLabelFont(t.captionFont());
        axis->grid()->setPen(QPen(Theme::mix(t.line, t.panel, 0.6), 1));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    m_plot->xAxis->grid()->setVisible(false);
    m_others->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, dot, dot, 6));
    m_front->setPen(QPen(t.accent, 1.5));
    m_front->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, t.accent, t.accent, 7));
    m_impossible->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(dot, 1.2), QBrush(t.panel), 6));
    m_chosen->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(t.text, 1.5), Qt::NoBrush, 13));
    m_line->setPen(QPen(t.bad, 1, Qt::DashLine));
    placeMarks();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ScatterPlot::setLimit(double x)
{
    m_limit = x;
    fit();
}

void ScatterPlot::setPoints(std::vector<ScatterPoint> points)
{
    m_points = std::move(points);
    m_current = -1;
    for (QCPGraph* graph : { m_others, m_front, m_impossible, m_chosen })
        graph->data()->clear();
    for (const ScatterPoint& p : m_points)
        (p.front ? m_front : p.possible ? m_others : m_impossible)->addData(p.x, p.y);
    fit();
}

// All that is possible is in sight, and the limit where it is near; of what is not, what lies
// beside it.
void ScatterPlot::fit()
{
    QCPRange x, y;
    bool any = false;
    for (const ScatterPoint& p : m_points)
        if (p.possible) {
            const QCPRange px(p.x, p.x), py(p.y, p.y);
            x = any ? x.expanded(px) : px;
            y = any ? y.expanded(py) : py;
            any = true;
        }
    if (!any)
        return;
    constexpr double kNear = 1.6; // a limit further off would press the points together
    const bool near = m_limit > 0 && m_limit <= kNear * x.upper;
    if (near)
        x.expand(m_limit);
    m_line->setVisible(near);
    m_line->point1->setCoords(m_limit, 0);
    m_line->point2->setCoords(m_limit, 1);
    for (const ScatterPoint& p : m_points)
        if (!p.possible && p.y > 0 && p.x <= 1.15 * x.upper) {
            x.expand(p.x);
            y.expand(p.y);
        }
    m_plot->xAxis->setRange(spanOf(x.lower, x.upper));
    m_plot->yAxis->setRange(spanOf(y.lower, y.upper));
    placeMarks();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ScatterPlot::placeMarks()
{
    for (int i = m_plot->itemCount() - 1; i >= 0; --i)
        if (auto* text = qobject_cast<QCPItemText*>(m_plot->item(i)))
            m_plot->removeItem(text);
    const Theme& t = theme();
    for (const ScatterPoint& p : m_points) {
        if (p.mark.isEmpty())
            continue;
        auto* text = new QCPItemText(m_plot);
        text->position->setCoords(p.x, p.y);
        text->setText(p.mark);
        QFont font = t.captionFont();
        font.setWeight(QFont::DemiBold);
        text->setFont(font);
        text->setPadding({ 4, 1, 4, 1 });
        const bool edited = p.mark.startsWith(u'B');
        text->setBrush(edited ? t.accent : t.ground);
        text->setPen(QPen(edited ? t.accent : t.muted));
        text->setColor(edited ? t.textOn(t.accent) : t.text);
    }
}

void ScatterPlot::setCurrent(int index)
{
    m_current = index >= 0 && index < static_cast<int>(m_points.size()) ? index : -1;
    m_chosen->data()->clear();
    if (m_current >= 0)
        m_chosen->addData(point(m_current).x, point(m_current).y);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QPointF ScatterPlot::place(int index) const
{
    return { m_plot->xAxis->coordToPixel(point(index).x),
        m_plot->yAxis->coordToPixel(point(index).y) };
}

int ScatterPlot::pointAt(const QPointF& position) const
{
    int nearest = -1;
    double best = 12; // pixels
    for (int i = 0; i < static_cast<int>(m_points.size()); ++i) {
        const QPointF offset = place(i) - position;
        const double distance = std::hypot(offset.x(), offset.y());
        if (distance < best) {
            best = distance;
            nearest = i;
        }
    }
    return nearest;
}

void ScatterPlot::choose(int index)
{
    setCurrent(index);
    if (m_current >= 0)
        emit activated(m_current);
}

void ScatterPlot::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_plot->setGeometry(rect().adjusted(1, 1, -1, -1));
    m_plot->replot(QCustomPlot::rpImmediateRefresh); // where points lie is known from here on
}

void ScatterPlot::mousePressEvent(QMouseEvent* event)
{
    if (const int hit = pointAt(event->position()); hit >= 0)
        choose(hit);
}

void ScatterPlot::mouseMoveEvent(QMouseEvent* event)
{
    const int hit = pointAt(event->position());
    setToolTip(hit >= 0 ? point(hit).label : QString());
}

// The arrows go from point to point by x.
void ScatterPlot::keyPressEvent(QKeyEvent* event)
{
    const bool right = event->key() == Qt::Key_Right, left = event->key() == Qt::Key_Left;
    if ((!right && !left) || m_points.empty())
        return QWidget::keyPressEvent(event);
    std::vector<int> order(m_points.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](int i) { return point(i).x; });
    const auto at = std::ranges::find(order, m_current);
    if (at == order.end())
        return choose(order.front());
    const auto next = std::clamp<long>(
        at - order.begin() + (right ? 1 : -1), 0, static_cast<long>(order.size()) - 1);
    choose(order[static_cast<std::size_t>(next)]);
}

void ScatterPlot::paintEvent(QPaintEvent*)
{
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setPen(theme().accent);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace stageloom
