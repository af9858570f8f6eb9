// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/check.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <malloc.h>
#include <string>

namespace stageloom::bench {

// The least of `runs` runs: what the machine's other work adds is left out.
template <typename Work> double bestSeconds(int runs, const Work& work)
{
    double best = 1e9;
    for (int run = 0; run < runs; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        best = std::min(
            best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
}

// Memory of one run serves the next, so that a bench shows the program and not the kernel's page
// faults.
inline void keepMemory()
{
    constexpr int kNever = 1 << 30; // bytes
    mallopt(M_MMAP_THRESHOLD, kNever);
    mallopt(M_TRIM_THRESHOLD, kNever);
}

// "name: value (floor X)"; a floor is the worst value that is still good.
inline void report(const std::string& name, const std::string& value, const std::string& floor)
{
    fmt::print("{}: {} (floor {})\n", name, value, floor);
}

} // namespace stageloom::bench
