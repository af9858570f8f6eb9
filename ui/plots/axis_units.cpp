// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/axis_units.h"

#include <cmath>

namespace stageloom {

namespace {

constexpr double kMinute = 60, kHour = 3600;

QString number(double value, int digits = 4)
{
    return QString::number(value, 'g', digits);
}

} // namespace

AxisUnit axisUnit(CurveAxis axis, double upTo)
{
    const double most = std::fabs(upTo);
    switch (axis) {
    case CurveAxis::Step:
        return { CurvePlot::tr("step"), 1 };
    case CurveAxis::Tokens:
        if (most >= 2e9)
            return { CurvePlot::tr("tokens, billions"), 1e9 };
        if (most >= 2e6)
            return { CurvePlot::tr("tokens, millions"), 1e6 };
        if (most >= 2e4)
            return { CurvePlot::tr("tokens, thousands"), 1e3 };
        return { CurvePlot::tr("tokens"), 1 };
    case CurveAxis::Seconds:
        if (most >= 3 * kHour)
            return { CurvePlot::tr("time, h"), kHour };
        if (most >= 3 * kMinute)
            return { CurvePlot::tr("time, min"), kMinute };
        return { CurvePlot::tr("time, s"), 1 };
    }
    return {};
}

QString placeText(CurveAxis axis, double at)
{
    switch (axis) {
    case CurveAxis::Step:
        return CurvePlot::tr("step %1").arg(QString::number(at, 'f', 0));
    case CurveAxis::Tokens:
        return CurvePlot::tr("%1 tokens").arg(number(at, 6));
    case CurveAxis::Seconds:
        break;
    }
    const AxisUnit unit = axisUnit(axis, at);
    const double value = at / unit.size;
    return unit.size == kHour  ? CurvePlot::tr("%1 h").arg(number(value))
        : unit.size == kMinute ? CurvePlot::tr("%1 min").arg(number(value))
                               : CurvePlot::tr("%1 s").arg(number(value));
}

} // namespace stageloom
