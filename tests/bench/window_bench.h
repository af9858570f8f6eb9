// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace stageloom::bench {

// Where the window's settings, unsaved plans and runs go instead of to the person's. To be made
// before the application, which it keeps off the screen.
struct OwnFolder {
    OwnFolder()
    {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qputenv("XDG_DATA_HOME", folder.path().toUtf8());
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    }
    [[nodiscard]] std::string runs() const
    {
        return folder.filePath(QStringLiteral("runs.sqlite")).toStdString();
    }
    QTemporaryDir folder;
};

// What one piece of work takes: on the clock, and of all processors' time. On a machine that does
// other things beside, the second tells more.
struct Cost {
    double wall = 0, cpu = 0; // milliseconds
};

inline double now(clockid_t clock)
{
    timespec t {};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

template <typename Work> Cost cost(const Work& work)
{
    const Cost before { now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID) };
    work();
    return { now(CLOCK_MONOTONIC) - before.wall, now(CLOCK_PROCESS_CPUTIME_ID) - before.cpu };
}

// The 95th of a hundred runs: a frame that stutters counts, a hiccup of the machine does not.
template <typename Work> Cost p95(int runs, const Work& work)
{
    std::vector<double> wall, cpu;
    for (int i = 0; i < runs; ++i) {
        const Cost one = cost([&] { work(i); });
        wall.push_back(one.wall);
        cpu.push_back(one.cpu);
    }
    std::ranges::sort(wall);
    std::ranges::sort(cpu);
    const auto at = static_cast<std::size_t>(runs) * 95 / 100;
    return { wall[at], cpu[at] };
}

inline Cost worse(const Cost& a, const Cost& b)
{
    return { std::max(a.wall, b.wall), std::max(a.cpu, b.cpu) };
}

// One line a figure: what was measured, what it may cost at most, and whether it does.
inline void report(const std::string& name, const Cost& cost, double atMost)
{
    fmt::print("{}: {:.2f} ms, processor {:.2f} ms (floor {} ms){}\n", name, cost.wall, cost.cpu,
        atMost, cost.wall <= atMost ? "" : " MISSED");
    std::fflush(stdout);
}

} // namespace stageloom::bench
