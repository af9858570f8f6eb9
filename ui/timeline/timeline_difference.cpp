// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_difference.h"

#include <algorithm>
#include <cmath>

namespace stageloom {

int TimelineDifference::binOf(double deviation)
{
    if (!(deviation > 0))
        return 0;
    return std::clamp(
        static_cast<int>(std::lround((std::log2(deviation) + 40) * kPerOctave)), 0, kBins - 1);
}

double TimelineDifference::quantile(double share) const
{
    const double wanted = share * static_cast<double>(m_matched);
    double sum = 0;
    for (int bin = 0; bin < kBins && m_matched > 0; ++bin)
        if ((sum += m_histogram[static_cast<std::size_t>(bin)]) >= wanted)
            return bin == 0 ? 0 : std::exp2(static_cast<double>(bin) / kPerOctave - 40);
    return 0;
}

bool TimelineDifference::extend(const TimelineModel& model, std::size_t most)
{
    const std::size_t before = m_matched;
    const bool all = take(model, most);
    if (m_matched != before) {
        m_usual = quantile(0.5);
        m_limit = quantile(0.98);
    }
    return all;
}

bool TimelineDifference::take(const TimelineModel& model, std::size_t most)
{
    const TimelineSide& side = model.side(m_shown);
    m_lanes.resize(std::max(m_lanes.size(), static_cast<std::size_t>(side.trace().devices)));
    for (std::size_t device = 0; device < m_lanes.size(); ++device) {
        const SpanIndex& lane = side.compute(static_cast<int>(device));
        for (std::size_t i = m_lanes[device].size(); i < lane.size(); ++i) {
            if (most-- == 0)
                return false;
            ++m_seen;
            const auto difference = of(model, { m_shown, lane.reference(i) });
            m_lanes[device].append(difference ? difference->longer : std::nan(""));
            if (!difference)
                continue;
            ++m_matched;
            ++m_histogram[static_cast<std::size_t>(binOf(std::fabs(difference->longer)))];
        }
    }
    return true;
}

std::optional<SpanDifference> TimelineDifference::of(
    const TimelineModel& model, SpanRef shown) const
{
    const auto base = shown.side == m_shown ? model.partner(shown, m_base) : std::nullopt;
    if (!base)
        return std::nullopt;
    const Span &mine = model.span(shown), &wanted = model.span(base->span);
    return SpanDifference { base->span.index, mine.end - wanted.end,
        (mine.end - mine.start) - (wanted.end - wanted.start), base->exact };
}

bool TimelineDifference::outlier(const TimelineModel& model, SpanRef shown) const
{
    const auto difference = of(model, shown);
    if (!difference)
        return false;
    const Span& wanted = model.span({ m_base, difference->base });
    return difference->longer > 0.2 * (wanted.end - wanted.start)
        && difference->longer > 6 * usual();
}

MinMax TimelineDifference::longer(int device, std::size_t from, std::size_t to) const
{
    const auto at = static_cast<std::size_t>(device);
    return device >= 0 && at < m_lanes.size() ? m_lanes[at].range(from, to) : MinMax {};
}

} // namespace stageloom
