// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/generators/generators.h"

namespace stageloom::generators {

// clang-format off
// GPipe, d = 2, m = 3, F one slot, B two:
//   stage 0:   F0 F1 F2 .. .. .. B0 B0 B1 B1 B2 B2 U
//   stage 1:      F0 F1 F2 B0 B0 B1 B1 B2 B2 U
// clang-format on
// Backwards run first in, first out (the paper's order is reversed; the makespan is the same), so
// that gradients are summed in the order of every other schedule and losses compare bit for bit.
Schedule gpipe(int d, int m, int n)
{
    Schedule schedule = straight(d, m, n);
    for (int s = 0; s < d; ++s) {
        auto& list = schedule.workers[std::size_t(s)];
        list.reserve(std::size_t(n) * std::size_t(2 * m + 1));
        for (int t = 0; t < n; ++t) {
            for (int k = 0; k < m; ++k)
                list.push_back(forward(s, t * m + k));
            for (int k = 0; k < m; ++k)
                list.push_back(backward(s, t * m + k));
            list.push_back(update(s, t));
        }
    }
    return schedule;
}

} // namespace stageloom::generators
