// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/span_table.h"

#include "ui/timeline/parallel.h"
#include <algorithm>

namespace stageloom {

namespace {

constexpr std::array kGradients { ActionKind::Backward, ActionKind::BackwardInput };

std::size_t slot(ActionKind kind)
{
    return static_cast<std::size_t>(kind);
}

} // namespace

const SpanTable::Column* SpanTable::column(int stage, ActionKind kind) const
{
    const auto at = static_cast<std::size_t>(stage);
    return stage >= 0 && at < m_stages.size() ? &m_stages[at][slot(kind)] : nullptr;
}

void SpanTable::add(const Span& span, std::uint32_t reference)
{
    const auto stage = static_cast<std::size_t>(std::max<int>(0, span.stage));
    if (stage >= m_stages.size())
        m_stages.resize(stage + 1);
    m_stages[stage][slot(span.kind)].references.push_back(reference);
}

void SpanTable::finish(const std::vector<Span>& spans)
{
    std::vector<Column*> columns;
    std::size_t size = 0;
    for (auto& kinds : m_stages)
        for (Column& one : kinds) {
            columns.push_back(&one);
            size += one.references.size();
        }
    forEachOf(columns, size, [&](Column* one) { finish(spans, *one); });
}

void SpanTable::finish(const std::vector<Span>& spans, Column& column)
{
    const auto microbatch = [&](std::uint32_t r) { return spans[r].microbatch; };
    if (!std::ranges::is_sorted(column.references, {}, microbatch))
        std::ranges::stable_sort(column.references, {}, microbatch);
    column.byTime = std::ranges::is_sorted(
        column.references, {}, [&](std::uint32_t r) { return spans[r].start; });
}

std::span<const std::uint32_t> SpanTable::find(
    const std::vector<Span>& spans, int stage, ActionKind kind, int microbatch) const
{
    const Column* c = column(stage, kind);
    if (!c || c->references.empty())
        return {};
    const auto& refs = c->references;
    const auto number = [&](std::uint32_t r) { return spans[r].microbatch; };
    // Where every microbatch is there once, its place is known.
    const long guess = static_cast<long>(microbatch) - number(refs.front());
    const auto size = static_cast<long>(refs.size());
    if (guess >= 0 && guess < size && number(refs[static_cast<std::size_t>(guess)]) == microbatch
        && (guess == 0 || number(refs[static_cast<std::size_t>(guess - 1)]) < microbatch)
        && (guess + 1 == size || number(refs[static_cast<std::size_t>(guess + 1)]) > microbatch))
        return { &refs[static_cast<std::size_t>(guess)], 1 };
    const auto range = std::ranges::equal_range(refs, microbatch, {}, number);
    return { range.begin(), range.end() };
}

const Span* SpanTable::inputOf(const std::vector<Span>& spans, const Span& span) const
{
    if (span.kind == ActionKind::Forward) {
        const auto made = find(spans, span.stage - 1, ActionKind::Forward, span.microbatch);
        return made.empty() ? nullptr : &spans[made.front()];
    }
    if (isGradient(span.kind))
        for (const ActionKind kind : kGradients)
            if (const auto made = find(spans, span.stage + 1, kind, span.microbatch); !made.empty())
                return &spans[made.front()];
    return nullptr;
}

std::vector<std::uint32_t> SpanTable::consumersOf(
    const std::vector<Span>& spans, const Span& span) const
{
    std::vector<std::uint32_t> result;
    const auto add = [&](int stage, ActionKind kind) {
        const auto found = find(spans, stage, kind, span.microbatch);
        result.insert(result.end(), found.begin(), found.end());
    };
    if (span.kind == ActionKind::Forward)
        add(span.stage + 1, ActionKind::Forward);
    else if (isGradient(span.kind))
        for (const ActionKind kind : kGradients)
            add(span.stage - 1, kind);
    return result;
}

std::size_t SpanTable::startedBefore(
    const std::vector<Span>& spans, int stage, ActionKind kind, double time) const
{
    const Column* c = column(stage, kind);
    if (!c)
        return 0;
    const auto start = [&](std::uint32_t r) { return spans[r].start; };
    const auto earlier = [&](std::uint32_t r) { return start(r) < time; };
    return static_cast<std::size_t>(c->byTime
            ? std::ranges::lower_bound(c->references, time, {}, start) - c->references.begin()
            : std::ranges::count_if(c->references, earlier));
}

std::optional<std::pair<int, int>> SpanTable::batchesReading(
    const std::vector<Span>& spans, int version) const
{
    std::optional<std::pair<int, int>> batches;
    for (const auto& kinds : m_stages) {
        const auto& refs = kinds[slot(ActionKind::Forward)].references;
        const auto readers = std::ranges::equal_range(
            refs, version, {}, [&](std::uint32_t r) { return spans[r].version; });
        if (readers.empty())
            continue;
        const int first = spans[readers.front()].batch, last = spans[readers.back()].batch;
        batches = batches
            ? std::pair(std::min(batches->first, first), std::max(batches->second, last))
            : std::pair(first, last);
    }
    return batches;
}

int SpanTable::mostInFlight(const std::vector<Span>& spans, int stage) const
{
    struct Change {
        double time;
        int by;
    };
    std::vector<Change> changes;
    const auto add = [&](ActionKind kind, int by) {
        const Column* c = column(stage, kind);
        if (!c)
            return;
        const auto before = static_cast<long>(changes.size());
        for (const std::uint32_t r : c->references)
            changes.push_back({ spans[r].start, by });
        const auto middle = changes.begin() + before;
        if (!c->byTime)
            std::ranges::stable_sort(middle, changes.end(), {}, &Change::time);
        std::ranges::inplace_merge(changes.begin(), middle, changes.end(), {}, &Change::time);
    };
    for (const ActionKind kind : kGradients)
        add(kind, -1);
    add(ActionKind::Forward, 1);
    int inFlight = 0, most = 0;
    for (const Change& c : changes)
        most = std::max(most, inFlight += c.by);
    return most;
}

} // namespace stageloom
