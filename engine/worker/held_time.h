// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace stageloom::engine {

// When a run did not train, but evaluated or was paused: the union of what its workers report. A
// run of any length keeps a few pieces a hold.
class HeldTime {
public:
    struct Piece {
        double start = 0, end = 0; // seconds since the run's origin
    };
    void add(Piece piece); // pieces come nearly in order
    // Seconds held before `time`.
    [[nodiscard]] double before(double time) const;
    // Apart from each other and in order, clipped to [begin, end).
    [[nodiscard]] std::vector<Piece> within(double begin, double end) const;

private:
    std::vector<Piece> m_pieces; // in order, apart from each other
    double m_total = 0;
};

} // namespace stageloom::engine
