// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/batch_board.h"

#include "engine/exec/batch_reduction.h"
#include <algorithm>
#include <cmath>
#include <tuple>

namespace stageloom::engine {

void BatchBoard::put(int stage, StageBatch part)
{
    const std::lock_guard lock(m_mutex);
    const std::int64_t batch = part.batch;
    Entry& entry = m_open[batch];
    entry.parts.resize(static_cast<std::size_t>(m_stages));
    entry.parts[static_cast<std::size_t>(stage)] = std::move(part);
    if (++entry.posted < m_stages)
        return;
    m_done.emplace_back(std::move(entry));
    m_open.erase(batch);
    m_changed.notify_all();
}

void BatchBoard::put(EvaluationReport report)
{
    const std::lock_guard lock(m_mutex);
    m_done.emplace_back(report);
    m_changed.notify_all();
}

void BatchBoard::put(HoldReport report)
{
    const std::lock_guard lock(m_mutex);
    m_done.emplace_back(report);
    m_changed.notify_all();
}

void BatchBoard::workerEnded()
{
    const std::lock_guard lock(m_mutex);
    ++m_ended;
    m_changed.notify_all();
}

std::optional<RunReport> BatchBoard::next(std::chrono::milliseconds timeout, int workers)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, timeout, [&] { return !m_done.empty() || m_ended == workers; });
    if (m_done.empty())
        return std::nullopt;
    auto done = std::move(m_done.front());
    m_done.pop_front();
    lock.unlock(); // merging is not the workers' business
    if (auto* report = std::get_if<EvaluationReport>(&done))
        return *report;
    if (auto* report = std::get_if<HoldReport>(&done))
        return *report;
    return merged(std::get<Entry>(std::move(done)));
}

bool BatchBoard::drained(int workers)
{
    const std::lock_guard lock(m_mutex);
    return m_ended == workers && m_done.empty();
}

BatchReport BatchBoard::merged(Entry entry)
{
    BatchReport report;
    std::vector<StageGradient> parts;
    int updates = 0;
    for (StageBatch& part : entry.parts) {
        report.step = part.batch + 1;
        report.time = std::max(report.time, part.time);
        report.loss += part.loss;
        report.learningRate = part.learningRate;
        if (part.skipped > report.skipped)
            report.skipped = part.skipped;
        if (part.brokenStage >= 0) {
            report.brokenStage = part.brokenStage;
            report.lossFinite = part.lossFinite;
        }
        updates = part.updates;
        parts.emplace_back().squaredNorms = std::move(part.squaredNorms);
        report.spans.insert(report.spans.end(), part.spans.begin(), part.spans.end());
    }
    report.wholeSkipped = report.skipped == updates;
    const std::optional<double> whole = entry.parts.front().squaredNorm;
    report.gradNorm = std::sqrt(whole ? *whole : reduced(parts).squaredNorm);
    std::stable_sort(report.spans.begin(), report.spans.end(), [](const Span& a, const Span& b) {
        return std::tie(a.device, a.start) < std::tie(b.device, b.start);
    });
    return report;
}

} // namespace stageloom::engine
