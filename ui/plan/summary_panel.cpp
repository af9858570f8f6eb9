// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/summary_panel.h"

#include "core/plan/explain.h"
#include "core/schedule/registry.h"
#include "ui/plan/plans_model.h"
#include "ui/state/topology_state.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/plan_marks.h"
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <cmath>

namespace stageloom {

namespace {

constexpr double kSame = 0.005; // a smaller part is no change: estimates know two digits
constexpr int kValueWidth = 92, kOtherWidth = 84, kChangeWidth = 74, kRowHeight = 18; // px

QString none()
{
    return QStringLiteral("–");
}

const ScheduleInfo* scheduleOf(const Prediction& prediction)
{
    return findSchedule(prediction.schedule.name);
}

double endsOf(const Prediction& prediction)
{
    return prediction.schedule.stages < 2 ? 0 : prediction.metrics.fill + prediction.metrics.drain;
}

QString endsText(const Prediction& prediction)
{
    const double seconds = endsOf(prediction);
    if (seconds <= 0)
        return SummaryPanel::tr("none");
    return QString::fromStdString(timeText(prediction, seconds));
}

QString bubbleText(const Prediction& prediction)
{
    const auto bubble = prediction.metrics.steadyBubbleFraction;
    return bubble ? percentText(*bubble) : SummaryPanel::tr("none");
}

QString changeText(double now, double other)
{
    const double percent = 100 * (now / other - 1);
    const int decimals = std::abs(percent) < 9.95 ? 1 : 0;
    return QStringLiteral("%1%2 %")
        .arg(percent < 0 ? QStringLiteral("−") : QStringLiteral("+"))
        .arg(std::abs(percent), 0, 'f', decimals);
}

int fullestStage(const Prediction& prediction)
{
    int fullest = 0;
    for (std::size_t s = 1; s < prediction.stages.size(); ++s)
        if (prediction.stages[s].memory.total()
            > prediction.stages[static_cast<std::size_t>(fullest)].memory.total())
            fullest = static_cast<int>(s);
    return fullest;
}

} // namespace

SummaryPanel::SummaryPanel(QWidget* parent)
    : QFrame(parent)
    , m_grid(new QGridLayout)
    , m_caption(new ElidedLabel("caption"))
    , m_reason(makeLabel(QString(), "caption"))
    , m_idleTitle(makeLabel(tr("Idle device time"), "title"))
    , m_bars(new IdleBars)
{
    setObjectName(QStringLiteral("panel"));
    setAccessibleName(tr("This plan"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Theme::kPadding, 10, Theme::kPadding, 12);
    layout->setSpacing(6);
    layout->addLayout(m_grid);
    m_grid->setHorizontalSpacing(6);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnStretch(0, 1);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(makeLabel(tr("This plan"), "title"));
    head->addWidget(m_caption, 1);
    m_grid->addLayout(head, 0, 0);
    const auto column = [this](int row, int at, const char* role) {
        auto* label = new ElidedLabel(role);
        label->setAlignment((at == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        m_grid->addWidget(label, row, at);
        return label;
    };
    int at = 1;
    for (MarkLabel** mark : { &m_nowHead, &m_otherHead, &m_changeHead })
        m_grid->addWidget(*mark = new MarkLabel, 0, at++);
    const std::pair<QString, QString> names[RowCount]
        = { { tr("Step time"), tr("One batch in the steady state") },
              { tr("Tokens/s"), tr("Tokens per second, of all devices together") },
              { tr("Steady bubble"),
                  tr("Share of device time without work in the steady state, without the filling "
                     "and draining of the pipeline") },
              { tr("Fill and drain"),
                  tr("Until the last device has work, and from when the first has none left: once "
                     "a run, or with each batch where every update empties the pipeline") },
              { tr("Peak memory"), tr("Of the fullest device") },
              { tr("Weight delay"), tr("How old the weights are that a batch reads") } };
    for (int r = 0; r < RowCount; ++r) {
        m_name[r] = column(r + 1, 0, "caption");
        m_name[r]->setWords(names[r].first);
        m_name[r]->setTip(names[r].second);
        m_now[r] = column(r + 1, 1, "value");
        m_other[r] = column(r + 1, 2, "caption");
        m_change[r] = column(r + 1, 3, "change");
    }
    m_grid->setColumnMinimumWidth(1, kValueWidth);
    for (int r = 0; r <= RowCount; ++r)
        m_grid->setRowMinimumHeight(r, kRowHeight);
    m_reason->setWordWrap(true);
    m_reason->setTextFormat(Qt::PlainText);
    layout->addWidget(m_reason);
    layout->addSpacing(4);
    layout->addWidget(m_idleTitle);
    layout->addWidget(m_bars);
    for (IdleReading* reading : { &m_idle, &m_otherIdle })
        connect(reading, &IdleReading::changed, this, &SummaryPanel::showIdle);
    show({}, {}, {});
}

void SummaryPanel::put(
    int row, const QString& now, const QString& other, const QString& change, const QColor& colour)
{
    m_now[row]->setWords(now);
    m_other[row]->setWords(other);
    m_change[row]->setWords(change);
    QPalette palette = m_change[row]->palette();
    if (palette.color(QPalette::WindowText) == colour)
        return;
    palette.setColor(QPalette::WindowText, colour);
    m_change[row]->setPalette(palette);
}

void SummaryPanel::putNumber(int row, double now, double other, bool lowIsGood, const QString& text,
    const QString& otherText)
{
    const bool known = other > 0 && now > 0;
    put(row, text, otherText, known ? changeText(now, other) : QString(),
        changeColour(known ? now / other - 1 : 0, lowIsGood, kSame));
}

void SummaryPanel::showRows(const Prediction& now, const Prediction* other)
{
    const Prediction blank;
    const Prediction& old = other != nullptr ? *other : blank;
    const auto text
        = [other](const QString& words) { return other != nullptr ? words : QString(); };
    putNumber(Step, now.stepTime, old.stepTime, true, stepTimeText(now), text(stepTimeText(old)));
    putNumber(Rate, now.tokensPerSecond, old.tokensPerSecond, false, tokenRateText(now),
        text(tokenRateText(old)));
    const double points = now.metrics.steadyBubbleFraction.value_or(0)
        - old.metrics.steadyBubbleFraction.value_or(0);
    put(Bubble, bubbleText(now), text(bubbleText(old)), text(pointsText(points)),
        changeColour(points, true, 0.001));
    const double ends = endsOf(now), oldEnds = endsOf(old);
    const bool each = fillsEachBatch(now.schedule.name),
               oldEach = fillsEachBatch(old.schedule.name);
    const bool moved = other != nullptr && each != oldEach && ends > 0 && oldEnds > 0;
    if (moved)
        put(Ends, endsText(now), endsText(old), each ? tr("each batch") : tr("once only"),
            changeColour(each ? 1 : -1, true, 0));
    else
        putNumber(Ends, ends, oldEnds, true, endsText(now), text(endsText(old)));
    const double bytes = now.peakMemory - old.peakMemory;
    put(Memory, bytesText(now.peakMemory), text(bytesText(old.peakMemory)),
        text((bytes < 0 ? QStringLiteral("−") : QStringLiteral("+")) + bytesText(std::abs(bytes))),
        changeColour(old.peakMemory > 0 ? bytes / old.peakMemory : 0, true, kSame));
    const ScheduleInfo *info = scheduleOf(now), *oldInfo = scheduleOf(old);
    const int delay = info != nullptr ? info->delayBatches : 0,
              oldDelay = oldInfo != nullptr ? oldInfo->delayBatches : 0;
    QString change;
    if (other != nullptr && delay != oldDelay)
        change = delay < 0 || oldDelay < 0 ? tr("differs")
            : delay > oldDelay             ? tr("+%n batch(es)", nullptr, delay - oldDelay)
                                           : tr("−%n batch(es)", nullptr, oldDelay - delay);
    put(Delay, delayWords(now.schedule.name),
        text(delayWords(other != nullptr ? old.schedule.name : std::string())), change,
        changeColour(delay < 0 ? 1 : delay - oldDelay, true, 0.5));
}

void SummaryPanel::showNone(const QString& reason)
{
    for (int r = 0; r < RowCount; ++r)
        put(r, none(), {}, {}, theme().muted);
    m_reason->setText(reason);
}

void SummaryPanel::show(const PlanColumn& now, const PlanColumn& other, const QString& reason)
{
    m_shown = now;
    m_compared = other;
    const Prediction* shown = now.prediction.get();
    const Prediction* old = other.prediction.get();
    const bool compared = !other.mark.isEmpty();
    m_nowHead->setMark(compared ? now.mark : QString(), now.tip);
    m_otherHead->setMark(other.mark, other.tip);
    m_changeHead->setMark(
        compared ? tr("%1 − %2").arg(now.mark, other.mark) : QString(), tr("What changed"));
    m_grid->setColumnMinimumWidth(2, compared ? kOtherWidth : 0);
    m_grid->setColumnMinimumWidth(3, compared ? kChangeWidth : 0);
    m_reason->setVisible(!reason.isEmpty());
    if (shown == nullptr) {
        m_caption->setWords({});
        showNone(reason);
    } else {
        m_reason->setText(reason);
        m_name[Ends]->setWords(
            fillsEachBatch(shown->schedule.name) ? tr("Fill, drain each") : tr("Fill, drain once"));
        m_caption->setWords(compared   ? QString()
                : shown->measuredTimes ? tr("measured")
                                       : tr("≈ estimated"));
        m_caption->setTip(shown->measuredTimes
                ? tr("From layer times measured on this kind of device")
                : tr("From FLOPs and bandwidth: this kind of device was not profiled"));
        showRows(*shown, old);
        const int fullest = fullestStage(*shown);
        m_name[Memory]->setTip(tr("Of the fullest device, that of stage %1").arg(fullest));
        if (compared && old == nullptr)
            for (ElidedLabel* label : m_other)
                label->setWords(none());
    }
    m_idle.read(now.prediction);
    m_otherIdle.read(other.prediction);
    showIdle();
}

void SummaryPanel::showIdle()
{
    const Prediction* shown = m_shown.prediction.get();
    const bool pipeline = shown != nullptr && shown->metrics.steadyBubbleFraction.has_value();
    m_idleTitle->setVisible(pipeline);
    m_bars->setVisible(pipeline);
    const bool both
        = m_compared.prediction && m_compared.prediction->metrics.steadyBubbleFraction.has_value();
    m_bars->show(
        m_idle.shares(), both ? m_otherIdle.shares() : std::nullopt, m_shown.mark, m_compared.mark);
}

QStringList SummaryPanel::row(int index) const
{
    return { m_now[index]->words(), m_other[index]->words(), m_change[index]->words() };
}

} // namespace stageloom
