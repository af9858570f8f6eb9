// SPDX-License-Identifier: Apache-2.0
#include "core/sim/trace_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace stageloom {

namespace {

auto key(const Span& s)
{
    return std::tuple(s.batch, s.stage, s.microbatch, s.kind, s.chunk);
}

bool isAction(const Span& span)
{
    return isCompute(span.kind) || span.kind == ActionKind::Update;
}

std::vector<std::uint32_t> orderOf(const Trace& trace)
{
    std::vector<std::uint32_t> order(trace.spans.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Span &x = trace.spans[a], &y = trace.spans[b];
        return std::tuple(key(x), x.start, a) < std::tuple(key(y), y.start, b);
    });
    return order;
}

void match(const Trace& base, const Trace& other, TraceComparison& result)
{
    const auto left = orderOf(base), right = orderOf(other);
    auto l = left.begin();
    auto r = right.begin();
    while (l != left.end() && r != right.end()) {
        const auto a = key(base.spans[*l]), b = key(other.spans[*r]);
        if (a < b)
            ++l;
        else if (b < a)
            ++r;
        else
            result.spans.push_back({ *l++, *r++ });
    }
    // Transfers and reductions leave a span only where they took time: one that is alone is no
    // difference of what was done.
    const auto actions = [](const Trace& trace) {
        return std::count_if(trace.spans.begin(), trace.spans.end(), isAction);
    };
    const auto paired = std::count_if(result.spans.begin(), result.spans.end(),
        [&](const MatchedSpan& pair) { return isAction(base.spans[pair.base]); });
    result.baseOnly = std::size_t(actions(base) - paired);
    result.otherOnly = std::size_t(actions(other) - paired);
}

double duration(const Span& span)
{
    return span.end - span.start;
}

} // namespace

TraceComparison compareTraces(const Trace& base, const Trace& other)
{
    TraceComparison result;
    match(base, other, result);
    std::map<std::pair<int, ActionKind>, KindDifference> kinds;
    for (const MatchedSpan& pair : result.spans) {
        const Span &a = base.spans[pair.base], &b = other.spans[pair.other];
        KindDifference& kind = kinds[{ a.stage, a.kind }];
        kind.stage = a.stage;
        kind.kind = a.kind;
        ++kind.matched;
        kind.baseMean += duration(a); // sums until all are in
        kind.otherMean += duration(b);
        const double delta = duration(b) - duration(a);
        if (kind.matched == 1 || std::fabs(delta) > std::fabs(kind.worstDelta)) {
            kind.worstDelta = delta;
            kind.worstBatch = a.batch;
            kind.worstMicrobatch = a.microbatch;
        }
    }
    for (auto& [place, kind] : kinds) {
        kind.baseMean /= double(kind.matched);
        kind.otherMean /= double(kind.matched);
        kind.meanDelta = kind.otherMean - kind.baseMean;
        result.kinds.push_back(kind);
    }
    if (!result.spans.empty()) {
        result.firstBatch = base.spans[result.spans.front().base].batch;
        result.lastBatch = base.spans[result.spans.back().base].batch;
    }
    return result;
}

Trace batchesOf(const Trace& trace, std::int32_t first, std::int32_t last)
{
    Trace part;
    part.timeUnit = trace.timeUnit;
    part.devices = trace.devices;
    part.stages = trace.stages;
    part.microbatches = trace.microbatches;
    for (const Span& span : trace.spans)
        if (span.batch >= first && span.batch <= last)
            part.spans.push_back(span);
    if (part.spans.empty())
        return part;
    const double origin
        = std::min_element(part.spans.begin(), part.spans.end(), [](const Span& a, const Span& b) {
              return a.start < b.start;
          })->start;
    for (Span& span : part.spans) {
        span.start -= origin;
        span.end -= origin;
    }
    return part;
}

} // namespace stageloom
