// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/live_curves.h"

#include "core/base/units.h"
#include "ui/plots/plot_sheet.h"
#include "ui/theme/theme.h"
#include <QVBoxLayout>
#include <array>
#include <cmath>

namespace stageloom {

namespace {

constexpr std::array<double MetricPoint::*, 3> kPlots { &MetricPoint::loss,
    &MetricPoint::tokensPerSecond, &MetricPoint::gradNorm };
constexpr double kSmoothing = 0.9;

// One run, three metrics: no colour of a stage, which would mean that stage.
QColor colourOf(std::size_t plot)
{
    const QColor colours[] = { theme().accent, theme().good, theme().muted };
    return colours[plot];
}

} // namespace

LiveCurves::LiveCurves(QWidget* parent)
    : Panel(tr("Curves"), parent)
    , m_sheet(new PlotSheet(static_cast<int>(kPlots.size())))
{
    setCaption(tr("by step, raw thin, smoothed thick"));
    m_sheet->addPlot(tr("Loss"), QString());
    m_sheet->addPlot(tr("Tokens per second"), tr("from 0")).setFromZero(true);
    m_sheet->addPlot(tr("Gradient norm"), tr("before clipping")).setFromZero(true);
    for (CurvePlot* plot : m_sheet->plots())
        plot->setAccessibleName(tr("%1 of this run").arg(plot->accessibleName()));
    body()->addWidget(m_sheet, 1);
    clear();
    connect(&themeNotifier(), &ThemeNotifier::changed, this, [this] { m_shown = 0; });
}

void LiveCurves::clear()
{
    for (std::size_t i = 0; i < kPlots.size(); ++i) {
        Curve curve;
        curve.colour = colourOf(i);
        m_sheet->plots()[i]->setCurves({ curve });
        m_sheet->plots()[i]->setSmoothing(kSmoothing);
        m_sheet->setValue(i, QStringLiteral("–"), colourOf(i));
    }
    m_sheet->setUnit(0, tr("nats per token"));
    m_shown = 0;
    m_validation = 0;
}

void LiveCurves::addPoint(const MetricPoint& point)
{
    const auto step = static_cast<double>(point.step);
    for (std::size_t i = 0; i < kPlots.size(); ++i)
        if (const double value = point.*kPlots[i];
            std::isfinite(value)) // an evaluation has no loss of its own
            m_sheet->plots()[i]->append(0, step, point.tokens, point.time, value);
    if (std::isfinite(point.validationLoss) && point.validationLoss > 0) {
        m_validation = point.validationLoss;
        m_sheet->plots()[0]->appendMarker(0, step, point.tokens, point.time, point.validationLoss);
    }
}

void LiveCurves::show(const std::vector<MetricPoint>& points)
{
    if (m_shown == 0 || m_shown > points.size())
        clear();
    for (; m_shown < points.size(); ++m_shown)
        addPoint(points[m_shown]);
    if (!points.empty())
        showValues(points.back());
}

void LiveCurves::showValues(const MetricPoint& last)
{
    const auto put = [&last, this](std::size_t plot, const auto& text) {
        const double value = last.*kPlots[plot];
        if (std::isfinite(value))
            m_sheet->setValue(plot, text(value), colourOf(plot));
    };
    put(0, [](double v) { return QString::number(v, 'f', 3); });
    put(1, [](double v) { return QString::fromStdString(groupDigits(std::llround(v))); });
    put(2, [](double v) { return QString::number(v, 'f', 2); });
    if (m_validation > 0)
        m_sheet->setUnit(0, tr("nats per token · ○ validation %1").arg(m_validation, 0, 'f', 3));
}

} // namespace stageloom
