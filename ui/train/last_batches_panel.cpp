// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/last_batches_panel.h"

#include "core/base/units.h"
#include "ui/state/topology_state.h"
#include "ui/theme/text.h"
#include "ui/timeline/numbering.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_desk.h"
#include "ui/timeline/timeline_modes.h"
#include "ui/timeline/timeline_tools.h"
#include "ui/timeline/timeline_view.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

namespace stageloom {

namespace {

TraceFrame frameOf(const BatchesPart& part)
{
    if (part.ends == TraceEnds::Whole)
        return {};
    const auto range = [](const Window& window) { return TimeRange { window.begin, window.end }; };
    return { part.ends, range(part.shown) };
}

// "+2.6 %", "−17.8 %"
QString signedPercent(double share)
{
    return (share < 0 ? QStringLiteral("−") : QStringLiteral("+"))
        + QString::number(std::fabs(share) * 100, 'f', 1) + QStringLiteral(" %");
}

} // namespace

LastBatchesPanel::LastBatchesPanel(QWidget* parent)
    : Panel(tr("Last batches"), parent)
    , m_timeline(new TimelineView)
    , m_follow(makeFollow())
    , m_facts(new QLabel)
    , m_late(makeLabel(QString(), "caption"))
{
    showCaption();
    addControl(new TimelineModes(*m_timeline, TimelineMode::Both));
    addControl(m_follow);
    addControl(new TimelineTools(m_timeline));
    connect(&m_timeline->state(), &TimelineState::visibleChanged, this, [this] {
        const TimelineState& state = m_timeline->state();
        if (!m_changing && !m_timeline->isLoading())
            setFollowing(state.visible() == state.extent());
    });
    body()->addWidget(new TimelineDesk(m_timeline), 1);
    auto* foot = new QHBoxLayout;
    m_facts->setTextFormat(Qt::RichText);
    m_facts->setWordWrap(true); // a number that is cut would be another
    m_facts->setToolTip(tr(
        "Of the batches shown; the bubble leaves fill and drain out, the memory is the engine's"));
    // Long sentences are cut, they must not widen the window.
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_late->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    foot->addWidget(m_facts);
    body()->addLayout(foot);
    body()->addWidget(m_late);
}

QToolButton* LastBatchesPanel::makeFollow()
{
    auto* follow = new QToolButton;
    follow->setText(tr("Follow"));
    follow->setCheckable(true);
    follow->setChecked(true);
    follow->setMinimumSize(28, 28);
    follow->setAccessibleName(tr("Follow the newest batches"));
    follow->setToolTip(tr("Show the newest batches as they come. Zooming or moving in time holds "
                          "the picture; this follows again."));
    connect(follow, &QToolButton::clicked, this, [this](bool on) {
        setFollowing(on);
        if (on)
            showBatches();
    });
    return follow;
}

const QStringList& LastBatchesPanel::deviceNames() const
{
    return m_timeline->deviceNames();
}

bool LastBatchesPanel::isFollowing() const
{
    return m_follow->isChecked();
}

void LastBatchesPanel::setFollowing(bool on)
{
    m_follow->setChecked(on);
    showCaption();
}

void LastBatchesPanel::clear()
{
    m_batches.clear();
    m_rss = 0;
    m_shown = { -1, -1 };
    m_timeline->setRun({});
    m_late->clear();
    setFollowing(true);
    showFacts();
}

void LastBatchesPanel::setPlanned(
    const Plan& plan, const std::shared_ptr<const Prediction>& prediction)
{
    const bool another = prediction != m_prediction;
    m_prediction = prediction;
    m_batches.setPlanned(prediction);
    m_timeline->setDeviceNames(stageDeviceLabels(plan.stages, plan.topology));
    if (another)
        showBatches();
}

void LastBatchesPanel::append(const std::vector<Span>& spans)
{
    m_batches.append(spans);
    showArrived();
}

void LastBatchesPanel::showArrived()
{
    const bool more = !m_batches.isEmpty()
        && (m_shown.second != m_batches.lastBatch() || m_shownSpans != m_batches.spanCount());
    if (isFollowing() && more)
        showBatches();
    else
        showFacts();
}

// What matters most stands first: the line is cut where the buttons begin.
void LastBatchesPanel::showCaption()
{
    if (m_shown.first < 0)
        setCaption(tr("plan above run, on one clock"));
    else
        setCaption(
            (isFollowing() ? tr("%1–%2 · plan above run") : tr("%1–%2, held · plan above run"))
                .arg(shownNumber(m_shown.first))
                .arg(shownNumber(m_shown.second)));
}

void LastBatchesPanel::setMemory(double rssBytes)
{
    m_rss = std::max(m_rss, rssBytes);
}

void LastBatchesPanel::showBatches()
{
    m_changing = true;
    const BatchesPart plan = m_batches.plan();
    m_timeline->setPlan(plan.trace, frameOf(plan));
    if (!m_batches.isEmpty()) {
        m_timeline->setRun(m_batches.run().trace, frameOf(m_batches.run()));
        m_shown = { m_batches.firstBatch(), m_batches.lastBatch() };
        m_shownSpans = m_batches.spanCount();
        const std::optional<LateOperation> late = m_batches.late();
        m_late->setText(late
                ? tr("%1 %2 of stage %3 took %4 longer than usual")
                      .arg(kindText(late->span.kind))
                      .arg(shownNumber(late->span.microbatch))
                      .arg(late->span.stage)
                      .arg(secondsText(late->span.end - late->span.start - late->usual))
                : tr("No late operation"));
    }
    if (isFollowing())
        m_timeline->fit();
    m_changing = false;
    showCaption();
    showFacts();
}

void LastBatchesPanel::showFacts()
{
    QStringList facts;
    const double step = m_batches.stepSeconds();
    const auto pair = [](const QString& name, const QString& planned, const QString& measured) {
        return QStringLiteral("%1&nbsp; <b>%2</b>")
            .arg(name,
                measured.isEmpty() ? tr("%1 planned").arg(planned)
                                   : tr("%1 planned · %2 measured").arg(planned, measured));
    };
    if (m_prediction) {
        const double planned = m_prediction->stepTime;
        facts << pair(tr("Step time"), stepTimeText(*m_prediction),
            step > 0 ? QStringLiteral("%1 (%2)").arg(
                secondsText(step), signedPercent(step / planned - 1))
                     : QString());
        const std::optional<double> bubble = m_batches.bubbleFraction();
        if (const auto steady = m_prediction->metrics.steadyBubbleFraction)
            facts << pair(tr("Steady bubble"), percentText(*steady),
                bubble ? percentText(*bubble) : QString());
    }
    if (m_rss > 0)
        facts << QStringLiteral("%1&nbsp; <b>%2</b>").arg(tr("Memory"), bytesText(m_rss));
    m_facts->setText(facts.join(QStringLiteral(" &nbsp;&nbsp;&nbsp; ")));
}

} // namespace stageloom
