// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/trace_difference.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace stageloom {

namespace {

// Batch and microbatch both: for updates the microbatch field holds the batch.
auto key(const Span& s)
{
    return std::tuple(s.batch, s.stage, s.microbatch, s.kind, s.chunk);
}

std::vector<std::uint32_t> sortedByKey(const Trace& trace)
{
    std::vector<std::uint32_t> order(trace.spans.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::uint32_t>(i);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(key(trace.spans[a]), trace.spans[a].start)
            < std::tuple(key(trace.spans[b]), trace.spans[b].start);
    });
    return order;
}

} // namespace

TraceDifference compare(const Trace& plan, const Trace& run)
{
    TraceDifference result;
    result.spans.resize(run.spans.size());
    const auto planned = sortedByKey(plan), measured = sortedByKey(run);
    std::vector<double> deviations;
    auto p = planned.begin();
    for (const std::uint32_t r : measured) {
        const Span& span = run.spans[r];
        while (p != planned.end() && key(plan.spans[*p]) < key(span))
            ++p;
        if (p == planned.end())
            break;
        const Span& wanted = plan.spans[*p];
        if (key(wanted) != key(span))
            continue;
        const double longer = (span.end - span.start) - (wanted.end - wanted.start);
        result.spans[r] = SpanDifference { *p, span.end - wanted.end, longer };
        result.largest = std::max(result.largest, std::fabs(span.end - wanted.end));
        deviations.push_back(std::fabs(longer));
        ++result.matched;
        ++p; // a second span of the same key (a SEND of either direction) meets the second planned
             // one
    }
    if (!deviations.empty()) {
        const auto middle = deviations.begin() + static_cast<long>(deviations.size() / 2);
        std::nth_element(deviations.begin(), middle, deviations.end());
        result.usual = *middle;
    }
    return result;
}

bool TraceDifference::outlier(std::size_t run, const Trace& plan) const
{
    if (run >= spans.size() || !spans[run])
        return false;
    const Span& wanted = plan.spans[spans[run]->plan];
    return spans[run]->longer > 0.2 * (wanted.end - wanted.start) && spans[run]->longer > 6 * usual;
}

} // namespace stageloom
