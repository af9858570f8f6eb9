// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/meters.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace stageloom::engine {

void HeldTime::add(Piece piece)
{
    std::vector<Piece> later; // than the new one
    while (!m_pieces.empty() && m_pieces.back().end >= piece.start) {
        const Piece last = m_pieces.back();
        m_pieces.pop_back();
        if (last.start > piece.end) {
            later.push_back(last);
            continue;
        }
        m_total -= last.end - last.start;
        piece = { std::min(piece.start, last.start), std::max(piece.end, last.end) };
    }
    m_pieces.push_back(piece);
    m_total += piece.end - piece.start;
    m_pieces.insert(m_pieces.end(), later.rbegin(), later.rend());
}

double HeldTime::before(double time) const
{
    double held = m_total;
    for (auto piece = m_pieces.rbegin(); piece != m_pieces.rend() && piece->end > time; ++piece)
        held -= piece->end - std::max(piece->start, time);
    return held;
}

std::vector<HeldTime::Piece> HeldTime::within(double begin, double end) const
{
    std::vector<Piece> clipped;
    for (auto piece = m_pieces.rbegin(); piece != m_pieces.rend() && piece->end > begin; ++piece)
        if (piece->start < end)
            clipped.push_back({ std::max(piece->start, begin), std::min(piece->end, end) });
    std::reverse(clipped.begin(), clipped.end());
    return clipped;
}

void RateMeter::add(double time)
{
    m_ends.push_back(time);
    if (m_ends.size() > kRecent + 1)
        m_ends.pop_front();
    if (++m_batches == kFilling)
        m_filled = time;
}

double RateMeter::rate(std::int64_t batches, double since) const
{
    const double time = m_ends.back() - since;
    return time > 0 ? m_tokensPerBatch * double(batches) / time
                    : std::numeric_limits<double>::quiet_NaN();
}

double RateMeter::recent() const
{
    return rate(std::int64_t(m_ends.size()) - 1, m_ends.front());
}

double RateMeter::mean() const
{
    return m_batches >= kFilling + kEnough ? rate(m_batches - kFilling, m_filled)
                                           : rate(m_batches, 0);
}

namespace {
constexpr int kFoldAfter = 64; // batches held at once
constexpr int kSkip = 2; // batches before the window

Trace sorted(Trace trace)
{
    std::sort(trace.spans.begin(), trace.spans.end(), [](const Span& a, const Span& b) {
        return std::tie(a.device, a.start) < std::tie(b.device, b.start);
    });
    return trace;
}
}

BubbleMeter::BubbleMeter(int devices, int stages, int microbatches)
{
    m_before.busy.assign(static_cast<std::size_t>(devices), 0);
    m_before.held = m_before.busy;
    m_recent.timeUnit.push_back('s');
    m_recent.devices = devices;
    m_recent.stages = stages;
    m_recent.microbatches = microbatches;
}

void BubbleMeter::add(const std::vector<Span>& spans)
{
    m_recent.spans.insert(m_recent.spans.end(), spans.begin(), spans.end());
    if (++m_batches >= kFoldAfter)
        fold();
}

void BubbleMeter::addHold(HeldTime::Piece hold)
{
    m_holds.add(hold);
}

void BubbleMeter::addPiece(Busy& total, const Trace& trace, double begin, double end) const
{
    for (const StageMetrics& stage : measure(trace, begin, end).stages)
        total.busy[static_cast<std::size_t>(stage.device)] += stage.busy;
    for (const HeldTime::Piece& hold : m_holds.within(begin, end)) {
        for (double& held : total.held)
            held += hold.end - hold.start;
        for (const StageMetrics& stage : measure(trace, hold.start, hold.end).stages)
            total.held[static_cast<std::size_t>(stage.device)] -= stage.busy;
    }
}

void BubbleMeter::fold()
{
    m_recent = sorted(std::move(m_recent));
    const Window window = steadyWindow(m_recent, m_begin ? 0 : kSkip);
    if (window.batches < 4)
        return;
    if (!m_begin)
        m_begin = m_folded = window.begin;
    // Batches overlap: the second half stays, so that the next fold sees whole batches at its end.
    const double until = m_folded + (window.end - m_folded) / 2;
    addPiece(m_before, m_recent, m_folded, until);
    m_folded = until;
    std::erase_if(m_recent.spans, [&](const Span& span) { return span.end < until; });
    m_batches /= 2;
}

std::optional<BubbleMeter::Busy> BubbleMeter::total() const
{
    const Trace trace = sorted(m_recent);
    const Window window = steadyWindow(trace, m_begin ? 0 : kSkip);
    if (window.batches < 1)
        return std::nullopt;
    const double begin = m_begin.value_or(window.begin);
    Busy total = m_before;
    total.window = window.end - begin;
    addPiece(total, trace, m_begin ? m_folded : begin, window.end);
    return total;
}

std::optional<double> BubbleMeter::bubbleFraction() const
{
    const auto measured = total();
    if (!measured)
        return std::nullopt;
    double busy = 0, all = 0;
    for (std::size_t device = 0; device < measured->busy.size(); ++device) {
        busy += measured->busy[device];
        all += measured->window - measured->held[device];
    }
    return 1 - busy / all;
}

std::vector<double> BubbleMeter::busyShares() const
{
    const auto measured = total();
    if (!measured)
        return {};
    std::vector<double> shares = measured->busy;
    for (std::size_t device = 0; device < shares.size(); ++device)
        shares[device] /= measured->window - measured->held[device];
    return shares;
}

} // namespace stageloom::engine
