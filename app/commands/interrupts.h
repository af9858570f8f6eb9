// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>

namespace stageloom {

// Counts Ctrl-C (SIGINT) and SIGTERM instead of dying of them, as long as it lives. One at a time.
class InterruptCounter {
public:
    InterruptCounter();
    ~InterruptCounter();
    InterruptCounter(const InterruptCounter&) = delete;
    InterruptCounter& operator=(const InterruptCounter&) = delete;
    [[nodiscard]] int count() const;

private:
    struct sigaction m_oldInterrupt {
    }, m_oldTerminate {};
};

} // namespace stageloom
