// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/generators/generators.h"

#include <algorithm>

namespace stageloom::generators {

// clang-format off
// PipeDream-Flush (1F1B with a flush), 2bw.md §1.7. d = 2, m = 3, F one slot, B two:
//   stage 0:   F0 F1 .. .. B0 B0 F2 B1 B1 .. B2 B2 U
//   stage 1:      F0 B0 B0 F1 B1 B1 F2 B2 B2 U
// clang-format on
Schedule oneForwardOneBackward(int d, int m, int n)
{
    Schedule schedule = straight(d, m, n);
    for (int s = 0; s < d; ++s) {
        auto& list = schedule.workers[std::size_t(s)];
        list.reserve(std::size_t(n) * std::size_t(2 * m + 1));
        const int warm = std::min(d - 1 - s, m);
        for (int t = 0; t < n; ++t) {
            for (int k = 0; k < m + warm; ++k) {
                if (k < m)
                    list.push_back(forward(s, t * m + k));
                if (k >= warm)
                    list.push_back(backward(s, t * m + k - warm));
            }
            list.push_back(update(s, t));
        }
    }
    return schedule;
}

} // namespace stageloom::generators
