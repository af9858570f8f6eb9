// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/summary_panel.h"

#include "core/base/units.h"
#include "core/schedule/registry.h"
#include "ui/plan/plans_model.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace stageloom {

namespace {

constexpr double kSame = 1e-3; // a smaller part is no change

// `lowIsGood`: fewer seconds, bytes, bubbles. A change below one part in a thousand is none.
void put(ElidedLabel* label, const QString& text, double now, double saved, bool lowIsGood)
{
    label->setWords(text);
    QPalette palette = label->parentWidget()->palette();
    QColor colour = theme().text;
    if (saved > 0 && std::abs(now - saved) > kSame * saved)
        colour = (now < saved) == lowIsGood ? theme().good : theme().warning;
    palette.setColor(QPalette::WindowText, colour);
    if (palette.color(QPalette::WindowText) != label->palette().color(QPalette::WindowText))
        label->setPalette(palette);
    if (saved > 0)
        label->setTip(SummaryPanel::tr("%1 % against the saved plan")
                          .arg(QString::asprintf("%+.1f", 100 * (now / saved - 1))));
}

QString stalenessOf(const Prediction& prediction)
{
    const ScheduleInfo* info = findSchedule(prediction.schedule.name);
    if (info == nullptr)
        return {};
    if (info->delayBatches < 0)
        return SummaryPanel::tr("differs by stage");
    return info->delayBatches == 0 ? SummaryPanel::tr("none")
        : info->delayBatches == 1  ? SummaryPanel::tr("one batch")
                                   : SummaryPanel::tr("%n batch(es)", nullptr, info->delayBatches);
}

} // namespace

SummaryPanel::SummaryPanel(QWidget* parent)
    : Panel(tr("This plan"), parent)
{
    m_step = addRow(tr("Step time"), tr("One batch in the steady state"));
    m_rate = addRow(tr("Tokens per second"), tr("Over all devices"));
    m_bubble = addRow(tr("Bubble"),
        tr("Share of device time without work in the steady state, without the filling and "
           "draining of the pipeline"));
    m_memory = addRow(tr("Peak memory"), tr("Of the fullest device"));
    m_staleness = addRow(tr("Staleness"), tr("How old the weights are that a batch reads"));
    m_source = new ElidedLabel("caption");
    body()->addWidget(m_source);
}

ElidedLabel* SummaryPanel::addRow(const QString& name, const QString& tip)
{
    auto* row = new QHBoxLayout;
    auto* label = makeLabel(name, "caption");
    label->setToolTip(tip);
    auto* value = new ElidedLabel("value");
    value->setWords(QStringLiteral("–"));
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(label);
    row->addWidget(value, 1);
    body()->addLayout(row);
    return value;
}

void SummaryPanel::show(
    const std::shared_ptr<const Prediction>& now, const std::shared_ptr<const Prediction>& saved)
{
    if (!now) {
        for (ElidedLabel* label : { m_step, m_rate, m_bubble, m_memory, m_staleness })
            label->setWords(QStringLiteral("–"));
        return;
    }
    const Prediction none;
    const Prediction& old = saved ? *saved : none;
    const auto text = [](const std::string& s) { return QString::fromStdString(s); };
    put(m_step, stepTimeText(*now), now->stepTime, old.stepTime, true);
    put(m_rate, tokenRateText(*now), now->tokensPerSecond, old.tokensPerSecond, false);
    // One stage waits for nobody: it has none.
    const auto bubble = now->metrics.steadyBubbleFraction;
    put(m_bubble, bubble ? text(formatPercent(*bubble)) : tr("none"), bubble.value_or(0),
        old.metrics.steadyBubbleFraction.value_or(0), true);
    put(m_memory, text(formatBytes(now->peakMemory)), now->peakMemory, old.peakMemory, true);
    m_staleness->setWords(stalenessOf(*now));
    const bool differs = saved
        && (std::abs(now->stepTime - old.stepTime) > kSame * old.stepTime
            || std::abs(now->peakMemory - old.peakMemory) > kSame * old.peakMemory);
    setCaption(differs ? tr("against the saved plan") : QString());
    m_source->setWords(now->measuredTimes ? tr("Times measured on this machine")
                                          : tr("Times estimated from FLOPs and bandwidth"));
}

} // namespace stageloom
