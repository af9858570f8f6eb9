// SPDX-License-Identifier: Apache-2.0
#include "tests/support/held_process.h"

#include <csignal>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace stageloom::test {

pid_t forkHolder(const std::function<std::shared_ptr<void>()>& make)
{
    int ready[2];
    if (::pipe(ready) != 0)
        throw std::runtime_error("no pipe for a forked process");
    const pid_t child = ::fork();
    if (child == 0) {
        const std::shared_ptr<void> held = make();
        [[maybe_unused]] const ssize_t n = ::write(ready[1], held ? "y" : "n", 1);
        ::alarm(60); // ends a process that its test left behind
        for (;;)
            ::pause();
    }
    char byte = 0;
    const ssize_t n = ::read(ready[0], &byte, 1);
    ::close(ready[0]);
    ::close(ready[1]);
    if (child < 0 || n != 1 || byte != 'y')
        throw std::runtime_error("a forked process could not make what it was to hold");
    return child;
}

void killAndWait(pid_t child)
{
    if (child > 0) // never kill(-1)
        ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

} // namespace stageloom::test
