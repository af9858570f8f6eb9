// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_curves_panel.h"

#include "ui/plots/plot_sheet.h"
#include "ui/runs/run_marks.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/copy_rows.h"
#include "ui/widgets/remember.h"
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSlider>
#include <QStackedLayout>
#include <QTableWidget>
#include <QToolButton>
#include <cmath>
#include <utility>

namespace stageloom {

namespace {

constexpr int kLegendRow = 24; // px

} // namespace

RunsCurvesPanel::RunsCurvesPanel(RunComparison& comparison, QWidget* parent)
    : Panel(tr("Curves"), parent)
    , m_comparison(comparison)
    , m_stack(new QStackedLayout)
    , m_sheet(new PlotSheet(3))
    , m_table(new QTableWidget)
    , m_axis(new QComboBox)
    , m_log(new QCheckBox(tr("Log y")))
    , m_smoothing(new QSlider(Qt::Horizontal))
    , m_fit(new QToolButton)
{
    m_stack->addWidget(new EmptyNotice(
        tr("No run is chosen"), tr("Tick one run or more in the table to see their curves.")));
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    for (const MetricInfo& info : metricInfos())
        m_sheet->addPlot(info.title, info.unit).setFromZero(info.fromZero);
    m_sheet->setReadsOut(false); // the table does
    layout->addWidget(m_sheet, 1);
    buildTable();
    layout->addWidget(m_table);
    m_stack->addWidget(content);
    body()->addLayout(m_stack, 1);
    buildControls();
    m_smoothDelay.setSingleShot(true);
    m_smoothDelay.setInterval(30);
    connect(&m_smoothDelay, &QTimer::timeout, this, &RunsCurvesPanel::showSmoothing);
    connect(m_sheet, &PlotSheet::cursorMoved, this, &RunsCurvesPanel::showValues);
    connect(&comparison, &RunComparison::curvesLoaded, this, &RunsCurvesPanel::showCurves);
    connect(&themeNotifier(), &ThemeNotifier::changed, this, [this] {
        m_shown.clear(); // other colours
        showCurves();
    });
    showSmoothing();
}

void RunsCurvesPanel::buildTable()
{
    m_table->setColumnCount(1 + kRunMetrics);
    m_table->setAccessibleName(tr("Values at the cursor"));
    m_table->setToolTip(tr("The values of the runs where the cursor stands, else their last ones; "
                           "Ctrl+C copies the selected rows"));
    letCopyRows(*m_table);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setIconSize({ 28, 14 });
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setMinimumSectionSize(kLegendRow);
    m_table->verticalHeader()->setDefaultSectionSize(kLegendRow);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void RunsCurvesPanel::buildControls()
{
    m_axis->addItems({ tr("by step"), tr("by tokens"), tr("by time") });
    m_axis->setToolTip(tr("What runs along the horizontal axis"));
    m_axis->setAccessibleName(tr("Horizontal axis"));
    m_log->setToolTip(tr("Logarithmic vertical axis"));
    m_smoothing->setRange(0, 99);
    m_smoothing->setValue(60);
    m_smoothing->setFixedWidth(72);
    m_smoothing->setAccessibleName(tr("Smoothing"));
    m_fit->setText(tr("Fit"));
    m_fit->setAccessibleName(tr("Show all of the curves"));
    m_fit->setToolTip(tr("Show everything, each spike too (A); all keys are in Help (F1)"));
    m_fit->setMinimumHeight(28);
    addControl(m_log);
    addControl(makeLabel(tr("Smoothing"), "caption"));
    for (QWidget* control : std::initializer_list<QWidget*> { m_smoothing, m_axis, m_fit })
        addControl(control);
    connect(m_fit, &QToolButton::clicked, m_sheet, &PlotSheet::fitAll);
    connect(m_axis, &QComboBox::currentIndexChanged, this,
        [this](int axis) { m_sheet->setAxis(static_cast<CurveAxis>(axis)); });
    connect(m_log, &QCheckBox::toggled, m_sheet, &PlotSheet::setLogarithmic);
    connect(m_smoothing, &QSlider::valueChanged, &m_smoothDelay, qOverload<>(&QTimer::start));
    remember(*m_axis, QStringLiteral("runs/curves/axis"));
    remember(*m_log, QStringLiteral("runs/curves/log"));
    remember(*m_smoothing, QStringLiteral("runs/curves/smoothing"));
}

void RunsCurvesPanel::showSmoothing()
{
    m_smoothing->setToolTip(
        tr("A point counts %1 % of its neighbour nearer by: the line through those on both sides, "
           "so it does not lag. Made from the full data, the raw curve stays behind it")
            .arg(m_smoothing->value()));
    for (std::size_t i = 0; i < metricInfos().size(); ++i) {
        const RunMetric metric = metricInfos()[i].metric;
        const bool few = metric == RunMetric::Validation || metric == RunMetric::Bubble;
        m_sheet->plots()[i]->setSmoothing(few ? 0 : m_smoothing->value() / 100.0);
    }
    showValues();
}

int RunsCurvesPanel::slotOf(RunId id) const
{
    return m_slotOf ? std::max(0, m_slotOf(id)) : 0;
}

void RunsCurvesPanel::showRuns(
    const std::vector<RunId>& ids, RunId base, RunId current, std::size_t chosen)
{
    const bool same = ids == m_ids; // only their marks and names may be others
    m_ids = ids;
    m_chosen = chosen;
    if (std::exchange(m_base, base) != base)
        m_shown.clear(); // other names
    m_current = current;
    m_stack->setCurrentIndex(ids.empty() ? 0 : 1);
    if (same)
        showTable();
    reload();
}

void RunsCurvesPanel::reload()
{
    if (!m_ids.empty())
        m_comparison.loadCurves(m_ids);
    else
        setCaption({});
}

// The same runs with more points: they are added, so that what is zoomed stays zoomed.
bool RunsCurvesPanel::appendTo(const std::vector<RunPoints>& runs)
{
    const bool grown = std::equal(runs.begin(), runs.end(), m_shown.begin(), m_shown.end(),
        [](const RunPoints& next, const Shown& now) {
            return next.id == now.id && next.points.size() >= now.points;
        });
    if (!grown || runs.empty())
        return false;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        Shown& shown = m_shown[r];
        const std::vector<MetricPoint>& points = runs[r].points;
        for (std::size_t m = 0; m < metricInfos().size(); ++m) {
            const RunMetric metric = metricInfos()[m].metric;
            if (metric == RunMetric::Bubble)
                continue; // one number a run
            // An evaluation may have come to the last step that was shown.
            const bool late
                = metric == RunMetric::Validation && shown.points > 0 && !shown.evaluated;
            const Curve more = runs[r].series(metric, shown.points - (late ? 1 : 0));
            CurvePlot& plot = *m_sheet->plots()[m];
            for (std::size_t i = 0; i < more.values.size(); ++i) {
                plot.append(r, more.steps[i], more.tokens[i], more.seconds[i], more.values[i]);
                if (metric == RunMetric::Validation)
                    plot.appendMarker(
                        r, more.steps[i], more.tokens[i], more.seconds[i], more.values[i]);
            }
        }
        shown.points = points.size();
        shown.evaluated = !points.empty() && std::isfinite(points.back().validationLoss);
    }
    return true;
}

void RunsCurvesPanel::showCurves()
{
    const std::vector<RunPoints>& runs = m_comparison.curves();
    if (appendTo(runs)) {
        showValues();
        return;
    }
    m_shown.clear();
    std::size_t points = 0;
    for (const RunPoints& run : runs) {
        points += run.points.size();
        m_shown.push_back({ run.id, run.points.size(),
            !run.points.empty() && std::isfinite(run.points.back().validationLoss) });
    }
    for (std::size_t m = 0; m < metricInfos().size(); ++m) {
        std::vector<Curve> curves;
        for (const RunPoints& run : runs) {
            Curve curve = run.series(metricInfos()[m].metric);
            const int slot = slotOf(run.id);
            curve.name = run.id == m_base ? tr("%1 (baseline)").arg(run.name) : run.name;
            curve.colour = theme().run(slot);
            curve.dash = Theme::runDash(slot);
            curve.mark = slot % 4;
            curves.push_back(std::move(curve));
        }
        m_sheet->plots()[m]->setCurves(std::move(curves));
    }
    setCaption(m_chosen > runs.size() ? tr("%1 of %2 chosen runs").arg(runs.size()).arg(m_chosen)
            : points == 0             ? tr("no batch was measured")
                                      : tr("raw thin, smoothed on full data thick"));
    showTable();
}

void RunsCurvesPanel::showTable()
{
    const std::vector<RunPoints>& runs = m_comparison.curves();
    const auto rows = static_cast<int>(runs.size());
    m_table->setRowCount(rows);
    for (int row = 0; row < rows; ++row) {
        const RunPoints& run = runs[static_cast<std::size_t>(row)];
        for (int column = 0; column <= kRunMetrics; ++column) {
            auto* cell = new QTableWidgetItem;
            QFont font = theme().valueFont();
            font.setBold(run.id == m_current);
            cell->setFont(font);
            if (column > 0)
                cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(row, column, cell);
        }
        m_table->item(row, 0)->setIcon(runMarkIcon(slotOf(run.id)));
        m_table->item(row, 0)->setText(
            run.id == m_base ? tr("%1 (baseline)").arg(run.name) : run.name);
        m_table->item(row, 0)->setToolTip(run.name);
    }
    constexpr int kMostRows = 4; // in sight; more scroll
    const int height = m_table->horizontalHeader()->sizeHint().height() + 2;
    m_table->setMinimumHeight(height + kLegendRow);
    m_table->setMaximumHeight(height + kLegendRow * std::clamp(rows, 1, kMostRows));
    m_table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    showValues();
}

void RunsCurvesPanel::showValues()
{
    const std::optional<double> at = m_sheet->cursor();
    QStringList heads { at ? tr("At %1").arg(m_sheet->plots().front()->placeAt(*at))
                           : tr("At the end") };
    for (const MetricInfo& info : metricInfos())
        heads << info.heading;
    m_table->setHorizontalHeaderLabels(heads);
    for (int column = 0; column < heads.size(); ++column)
        m_table->horizontalHeaderItem(column)->setTextAlignment(
            (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const std::vector<RunPoints>& runs = m_comparison.curves();
    for (int row = 0; row < std::min(m_table->rowCount(), static_cast<int>(runs.size())); ++row) {
        const auto run = static_cast<std::size_t>(row);
        for (std::size_t m = 0; m < metricInfos().size(); ++m) {
            const MetricInfo& info = metricInfos()[m];
            const std::optional<double> value = m_sheet->plots()[m]->valueAt(run, at);
            QString text = value ? info.text(*value) : QStringLiteral("–");
            if (info.metric == RunMetric::Bubble && runs[run].bubblePlanned)
                text = tr("%1 → %2").arg(info.text(100 * *runs[run].bubblePlanned), text);
            m_table->item(row, static_cast<int>(m) + 1)->setText(text);
        }
    }
}

} // namespace stageloom
