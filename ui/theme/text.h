// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/plan/prediction.h"
#include <QString>

namespace stageloom {

// Numbers and names in the words that the whole window uses.

inline QString secondsText(double seconds)
{
    return QString::fromStdString(formatSeconds(seconds));
}
inline QString bytesText(double bytes)
{
    return QString::fromStdString(formatBytes(bytes));
}
inline QString countText(double count)
{
    return QString::fromStdString(formatCount(count));
}
inline QString percentText(double share)
{
    return QString::fromStdString(formatPercent(share));
}
QString flopsText(double flops); // "16.1 GFLOP"

// Rounded to what is known: "≈ 14 s" where times are estimated, "13.8 s" where they are measured.
QString stepTimeText(const Prediction& prediction);
QString tokenRateText(const Prediction& prediction); // a second: "≈ 64 k", "63,790"
QString shortPlanText(const Plan& plan); // "2bw · 4 stages × 1 replica · b 4 · m 8"
QString scheduleTitle(const std::string& name); // "PipeDream-2BW"; the name where it is not known
QString optimizerName(OptimizerKind kind);

} // namespace stageloom
