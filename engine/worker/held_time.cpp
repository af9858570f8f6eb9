// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/held_time.h"

#include <algorithm>

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

} // namespace stageloom::engine
