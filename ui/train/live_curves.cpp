// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/live_curves.h"

#include "core/base/units.h"
#include "ui/plots/curve_plot.h"
#include "ui/theme/theme.h"
#include "ui/widgets/panel.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <cmath>

namespace stageloom {

namespace {

constexpr double kMebibyte = 0x1p-20;

} // namespace

LiveCurves::LiveCurves(QWidget* parent)
    : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Theme::kGap);
    const std::pair<QString, double MetricPoint::*> columns[]
        = { { tr("Loss"), &MetricPoint::loss },
              { tr("Tokens per second"), &MetricPoint::tokensPerSecond },
              { tr("Gradient norm"), &MetricPoint::gradNorm },
              { tr("Memory, MiB"), &MetricPoint::rssBytes } };
    for (const auto& [title, field] : columns) {
        auto* panel = new Panel(title);
        auto* value = makeLabel(QStringLiteral("–"), "value");
        value->setMinimumWidth(48);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        panel->addControl(value);
        auto* plot = new CurvePlot;
        plot->setMinimumSize(104, 96); // four of them on a small screen
        panel->body()->addWidget(plot, 1);
        panel->setMinimumWidth(panel->minimumSizeHint().width());
        panel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // equally wide
        row->addWidget(panel, 1);
        m_columns.push_back({ field, plot, value });
    }
    clear();
    connect(&themeNotifier(), &ThemeNotifier::changed, this, [this] { m_shown = 0; });
}

void LiveCurves::clear()
{
    reset({});
    for (const Column& column : m_columns)
        column.value->setText(QStringLiteral("–"));
}

void LiveCurves::reset(const std::vector<MetricPoint>& points)
{
    // One run, four metrics: no colour of a stage, which would mean that stage.
    const QColor colours[] = { theme().accent, theme().good, theme().warning, theme().muted };
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        Curve curve;
        curve.colour = colours[c];
        const bool loss = m_columns[c].field == &MetricPoint::loss;
        const double scale = m_columns[c].field == &MetricPoint::rssBytes ? kMebibyte : 1;
        for (const MetricPoint& p : points) {
            if (loss && p.validationLoss > 0) {
                curve.markerSteps.push_back(static_cast<double>(p.step));
                curve.markerTokens.push_back(p.tokens);
                curve.markerSeconds.push_back(p.time);
                curve.markerValues.push_back(p.validationLoss);
            }
            if (!std::isfinite(p.*m_columns[c].field))
                continue; // an evaluation has no loss of its own
            curve.steps.push_back(static_cast<double>(p.step));
            curve.tokens.push_back(p.tokens);
            curve.seconds.push_back(p.time);
            curve.values.push_back(p.*m_columns[c].field * scale);
        }
        m_columns[c].plot->setCurves({ curve });
        m_columns[c].plot->setSmoothing(0.9);
    }
    m_shown = points.size();
}

void LiveCurves::show(const std::vector<MetricPoint>& points)
{
    // Evaluations are rare: the whole curve is set again with its new ring.
    bool whole = m_shown == 0 || m_shown > points.size();
    for (std::size_t i = m_shown; i < points.size() && !whole; ++i)
        whole = points[i].validationLoss > 0;
    if (whole)
        reset(points);
    for (; m_shown < points.size(); ++m_shown)
        for (const Column& column : m_columns) {
            const MetricPoint& p = points[m_shown];
            const double scale = column.field == &MetricPoint::rssBytes ? kMebibyte : 1;
            if (std::isfinite(p.*column.field))
                column.plot->append(
                    0, static_cast<double>(p.step), p.tokens, p.time, p.*column.field * scale);
        }
    if (!points.empty())
        showValues(points.back());
}

void LiveCurves::showValues(const MetricPoint& last)
{
    const auto put = [&last, this](std::size_t column, const auto& text) {
        const double value = last.*m_columns[column].field;
        if (std::isfinite(value))
            m_columns[column].value->setText(text(value));
    };
    put(0, [](double v) { return QString::number(v, 'f', 3); });
    put(1, [](double v) { return QString::fromStdString(groupDigits(std::llround(v))); });
    put(2, [](double v) { return QString::number(v, 'f', 2); });
    put(3, [](double v) { return QString::number(std::llround(v * kMebibyte)); });
}

} // namespace stageloom
