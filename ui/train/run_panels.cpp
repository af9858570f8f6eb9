// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/run_panels.h"

#include "core/base/units.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/fact_rows.h"
#include "ui/widgets/idle_bars.h"
#include <QLabel>
#include <QVBoxLayout>

namespace stageloom {

namespace {

QString resultWord(ActionKind kind)
{
    return kind == ActionKind::Forward ? WaitsPanel::tr("the activations")
                                       : WaitsPanel::tr("the gradients");
}

} // namespace

RunFactsPanel::RunFactsPanel(QWidget* parent)
    : Panel(tr("Run"), parent)
    , m_facts(new FactRows)
{
    body()->addWidget(m_facts);
}

void RunFactsPanel::show(const LiveRun& run, const Plan& plan)
{
    const bool started = run.request().has_value(); // the run shown, also once it has ended
    const Plan& of = started ? run.request()->plan : plan;
    QList<std::pair<QString, QString>> facts {
        { tr("Schedule"), scheduleTitle(of.schedule) },
        { tr("Stages"), QString::number(of.depth()) },
        { tr("Microbatches"), tr("%1 × %2").arg(of.microbatches).arg(of.microbatchSize) },
        { tr("Batch"), tr("%n sample(s)", nullptr, static_cast<int>(of.batchSize())) },
        { tr("Optimizer"), optimizerName(of.optimizer.kind) },
    };
    if (started) {
        const QString path = QString::fromStdString(run.request()->dataPath);
        facts.emplace_back(tr("Data"), path.section(u'/', -1, -1, QString::SectionSkipEmpty));
        facts.emplace_back(tr("Seed"), QString::number(run.request()->seed));
    }
    facts.emplace_back(
        tr("State"), run.isActive() ? phaseText(run.status().phase) : run.endWords());
    if (facts != m_shown) // several times a second, and mostly the same
        m_facts->setFacts(facts);
    m_shown = facts;
}

// Of the batches shown; none where nothing was predicted or measured.
static std::optional<IdleShares> idleOf(const BatchesPart& part)
{
    const Window& window = part.counted();
    if (part.trace.spans.empty() || !(window.end > window.begin))
        return std::nullopt;
    return idleShares(part.times(), window.end - window.begin);
}

WaitsPanel::WaitsPanel(QWidget* parent)
    : Panel(tr("Idle device time"), parent)
    , m_idle(new IdleBars)
    , m_waits(new QLabel)
{
    m_waits->setTextFormat(Qt::RichText);
    m_waits->setWordWrap(true);
    setCaption(tr("who waits for whom"));
    body()->addWidget(m_idle);
    body()->addWidget(m_waits);
    show(LastBatches(), {});
}

void WaitsPanel::show(const LastBatches& batches, const QStringList& names)
{
    m_idle->setVisible(!batches.isEmpty());
    if (!batches.isEmpty())
        m_idle->show(idleOf(batches.run()), idleOf(batches.plan()), tr("run"), tr("plan"));
    const auto name
        = [&names](int device) { return names.value(device, tr("Worker %1").arg(device)); };
    if (batches.isEmpty()) {
        m_waits->setText(tr("Shown once batches are measured."));
        return;
    }
    QString text = QStringLiteral("<table width='100%' cellpadding='3' cellspacing='0'>");
    for (const DeviceWait& wait : batches.waits()) {
        const QString time = secondsText(wait.seconds);
        const QString why = wait.forDevice >= 0
            ? tr("waits %1 a batch, most for %2 of %3")
                  .arg(time, resultWord(wait.kind), name(wait.forDevice))
            : tr("waits %1 a batch, most between its own operations").arg(time);
        text += QStringLiteral("<tr><td width='14'><font color='%1'>■</font></td>"
                               "<td><b>%2</b><br><font color='%4'>%3</font></td></tr>")
                    .arg(theme().stage(wait.device).name(), name(wait.device).toHtmlEscaped(),
                        why.toHtmlEscaped(), theme().muted.name());
    }
    m_waits->setText(text + QStringLiteral("</table>"));
}

} // namespace stageloom
