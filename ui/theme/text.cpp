// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/text.h"

#include "core/plan/explain.h"
#include "core/schedule/registry.h"
#include <QCoreApplication>
#include <array>

namespace stageloom {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Text)
};

} // namespace

QString flopsText(double flops)
{
    static constexpr std::array<const char*, 6> kUnits { "FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP",
        "PFLOP" };
    std::size_t unit = 0;
    // From 999.5 on, three digits round up to the next unit.
    for (; flops >= 999.5 && unit + 1 < kUnits.size(); ++unit)
        flops /= 1000;
    const int decimals = unit == 0 || flops >= 99.95 ? 0 : flops >= 9.995 ? 1 : 2;
    return QStringLiteral("%1 %2").arg(flops, 0, 'f', decimals).arg(QLatin1String(kUnits[unit]));
}

QString stepTimeText(const Prediction& prediction)
{
    return QString::fromStdString(timeText(prediction, prediction.stepTime));
}

QString tokenRateText(const Prediction& prediction)
{
    return QString::fromStdString(rateText(prediction))
        .remove(QStringLiteral("tokens/s"))
        .trimmed();
}

QString shortPlanText(const Plan& plan)
{
    const int depth = plan.depth(), width = plan.width();
    const QString stages = depth == 1 ? Text::tr("1 stage") : Text::tr("%1 stages").arg(depth);
    const QString replicas
        = width == 1 ? Text::tr("1 replica") : Text::tr("%1 replicas").arg(width);
    return QStringLiteral("%1 · %2 × %3 · b %4 · m %5")
        .arg(QString::fromStdString(plan.schedule), stages, replicas)
        .arg(plan.microbatchSize)
        .arg(plan.microbatches);
}

QString scheduleTitle(const std::string& name)
{
    const ScheduleInfo* info = findSchedule(name);
    return QString::fromStdString(info != nullptr ? info->title : name);
}

QString optimizerName(OptimizerKind kind)
{
    switch (kind) {
    case OptimizerKind::Sgd:
        return Text::tr("SGD with momentum");
    case OptimizerKind::Adam:
        return Text::tr("Adam");
    case OptimizerKind::AdamW:
        return Text::tr("AdamW");
    }
    return {};
}

} // namespace stageloom
