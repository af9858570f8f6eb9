// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_curves_panel.h"

#include "ui/plots/curve_plot.h"
#include "ui/theme/theme.h"
#include "ui/widgets/remember.h"
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QStackedLayout>
#include <QToolButton>
#include <utility>

namespace stageloom {

namespace {

constexpr std::size_t kLegendCurves = 8; // more would hide the curves; the table shows the colours

QString helpText()
{
    QString text = QStringLiteral("<p>%1</p><table cellspacing='2'>")
                       .arg(RunsCurvesPanel::tr("Show everything, each spike too (A). In the plot:")
                                .toHtmlEscaped());
    for (const auto& [keys, what] : CurvePlot::shortcuts())
        text += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
    return text + QStringLiteral("</table>");
}

} // namespace

RunsCurvesPanel::RunsCurvesPanel(RunComparison& comparison, QWidget* parent)
    : Panel(tr("Curves"), parent)
    , m_comparison(comparison)
    , m_stack(new QStackedLayout)
    , m_plot(new CurvePlot)
    , m_metric(new QComboBox)
    , m_axis(new QComboBox)
    , m_log(new QCheckBox(tr("Log")))
    , m_smoothing(new QSlider(Qt::Horizontal))
    , m_fit(new QToolButton)
{
    m_stack->addWidget(new EmptyNotice(
        tr("No run is chosen"), tr("Choose one run or more in the table to see their curves.")));
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot, 1);
    m_stack->addWidget(content);
    body()->addLayout(m_stack, 1);
    buildControls();
    m_smoothDelay.setSingleShot(true);
    m_smoothDelay.setInterval(30);
    connect(&m_smoothDelay, &QTimer::timeout, this, &RunsCurvesPanel::showSmoothing);
    connect(&comparison, &RunComparison::curvesLoaded, this, &RunsCurvesPanel::takeCurves);
    connect(&themeNotifier(), &ThemeNotifier::changed, this, [this] {
        m_shown.clear(); // other colours
        reload();
    });
    showSmoothing();
}

void RunsCurvesPanel::buildControls()
{
    for (int i = 0; i < kRunMetrics; ++i)
        m_metric->addItem(titleOf(static_cast<RunMetric>(i)));
    m_metric->setToolTip(tr("What the curves show"));
    m_metric->setAccessibleName(tr("Metric"));
    m_axis->addItems({ tr("by step"), tr("by tokens"), tr("by time") });
    m_axis->setToolTip(tr("What runs along the horizontal axis"));
    m_axis->setAccessibleName(tr("Horizontal axis"));
    m_log->setToolTip(tr("Logarithmic vertical axis"));
    m_smoothing->setRange(0, 99);
    m_smoothing->setValue(60);
    m_smoothing->setFixedWidth(72);
    m_smoothing->setAccessibleName(tr("Smoothing"));
    addControl(makeLabel(tr("Smoothing"), "caption"));
    m_fit->setText(tr("Fit"));
    m_fit->setAccessibleName(tr("Show all of the curves"));
    m_fit->setToolTip(helpText());
    m_fit->setMinimumHeight(28);
    for (QWidget* control :
        std::initializer_list<QWidget*> { m_smoothing, m_log, m_axis, m_metric, m_fit })
        addControl(control);
    connect(m_fit, &QToolButton::clicked, m_plot, &CurvePlot::fitAll);
    connect(m_metric, &QComboBox::currentIndexChanged, this, &RunsCurvesPanel::reload);
    connect(m_axis, &QComboBox::currentIndexChanged, this,
        [this](int axis) { m_plot->setAxis(static_cast<CurveAxis>(axis)); });
    connect(m_log, &QCheckBox::toggled, m_plot, &CurvePlot::setLogarithmic);
    connect(m_smoothing, &QSlider::valueChanged, &m_smoothDelay, qOverload<>(&QTimer::start));
    remember(*m_metric, QStringLiteral("runs/curves/metric"));
    remember(*m_axis, QStringLiteral("runs/curves/axis"));
    remember(*m_log, QStringLiteral("runs/curves/log"));
    remember(*m_smoothing, QStringLiteral("runs/curves/smoothing"));
}

void RunsCurvesPanel::showSmoothing()
{
    m_smoothing->setToolTip(
        tr("Every point keeps %1 % of the mean so far; made from the full data, the raw curve "
           "stays behind it")
            .arg(m_smoothing->value()));
    m_plot->setSmoothing(m_smoothing->value() / 100.0);
}

void RunsCurvesPanel::showRuns(const std::vector<RunId>& ids, RunId base, std::size_t chosen)
{
    m_ids = ids;
    m_chosen = chosen;
    if (std::exchange(m_base, base) != base)
        m_shown.clear(); // other names
    m_stack->setCurrentIndex(ids.empty() ? 0 : 1);
    reload();
}

void RunsCurvesPanel::reload()
{
    if (!m_ids.empty())
        m_comparison.loadCurves(m_ids, static_cast<RunMetric>(m_metric->currentIndex()));
    else
        setCaption({});
}

// The same runs with more points: they are added, so that what is zoomed stays zoomed.
bool RunsCurvesPanel::appendTo(const std::vector<RunCurve>& curves)
{
    const bool grown = std::equal(curves.begin(), curves.end(), m_shown.begin(), m_shown.end(),
        [](const RunCurve& next, const Shown& now) {
            return next.id == now.id && next.values.size() >= now.points
                && next.markerSteps.size() == now.markers;
        });
    if (!grown)
        return false;
    for (std::size_t c = 0; c < curves.size(); ++c)
        for (std::size_t& i = m_shown[c].points; i < curves[c].values.size(); ++i)
            m_plot->append(c, curves[c].steps[i], curves[c].tokens[i], curves[c].seconds[i],
                curves[c].values[i]);
    return true;
}

void RunsCurvesPanel::takeCurves()
{
    std::vector<RunCurve> loaded = m_comparison.takeCurves();
    const auto metric = static_cast<RunMetric>(m_metric->currentIndex());
    if (metric == m_shownMetric && appendTo(loaded))
        return;
    m_shownMetric = metric;
    m_shown.clear();
    std::vector<Curve> curves;
    std::size_t points = 0;
    for (RunCurve& run : loaded) {
        m_shown.push_back({ run.id, run.values.size(), run.markerSteps.size() });
        points += run.values.size();
        Curve curve;
        curve.name = run.id == m_base ? tr("%1 (baseline)").arg(run.name) : run.name;
        const int slot = m_slotOf ? std::max(0, m_slotOf(run.id)) : 0;
        curve.colour = theme().run(slot);
        curve.dash = Theme::runDash(slot);
        curve.steps = std::move(run.steps);
        curve.tokens = std::move(run.tokens);
        curve.seconds = std::move(run.seconds);
        curve.values = std::move(run.values);
        curve.markerSteps = std::move(run.markerSteps);
        curve.markerTokens = std::move(run.markerTokens);
        curve.markerSeconds = std::move(run.markerSeconds);
        curve.markerValues = std::move(run.markerValues);
        curves.push_back(std::move(curve));
    }
    setCaption(m_chosen > curves.size()
            ? tr("%1 of %2 chosen runs").arg(curves.size()).arg(m_chosen)
            : points == 0 ? tr("no values of this metric")
                          : QString());
    m_plot->setValueTitle(axisTitleOf(metric));
    m_plot->setLegend(curves.size() > 1 && curves.size() <= kLegendCurves);
    m_plot->setCurves(std::move(curves));
}

} // namespace stageloom
