// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/profile.h"

#include <chrono>

namespace stageloom {

// What `profile` prints for people: layer times, their sums, what else was measured. Times in
// seconds.
std::string profileText(const std::string& model, const Profile& profile);

// How far the measurement is, on stderr: one line that is written over on a terminal, a plain line
// every tenth elsewhere.
class ProfileProgress {
public:
    ProfileProgress();
    void show(double fraction);
    void finish(); // leaves the terminal's cursor at the start of a line

private:
    bool m_terminal, m_lineOpen = false;
    int m_shownTenths = -1;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now(), m_shown {};
};

// "measuring layers: 40 %, 12 s left"
std::string profileProgressText(double fraction, double elapsedSeconds);

} // namespace stageloom
