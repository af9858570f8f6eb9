// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/interrupts.h"

#include <atomic>

namespace stageloom {

namespace {

std::atomic<int> g_count = 0; // lock-free, so a signal handler may touch it
void countOne(int)
{
    ++g_count;
}

} // namespace

InterruptCounter::InterruptCounter()
{
    g_count = 0;
    struct sigaction action { };
    action.sa_handler = countOne;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, &m_oldInterrupt);
    ::sigaction(SIGTERM, &action, &m_oldTerminate);
}

InterruptCounter::~InterruptCounter()
{
    ::sigaction(SIGINT, &m_oldInterrupt, nullptr);
    ::sigaction(SIGTERM, &m_oldTerminate, nullptr);
}

int InterruptCounter::count() const
{
    return g_count;
}

} // namespace stageloom
