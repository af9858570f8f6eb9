// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <sys/types.h>

namespace stageloom::test {

// Forks a process that makes something (takes a lock, serves a socket) and keeps it until it is
// killed, as an engine does. To be called before any thread exists here. `make` returns what is to
// be kept; null: it failed, and so does the test.
pid_t forkHolder(const std::function<std::shared_ptr<void>()>& make);
void killAndWait(pid_t child);

} // namespace stageloom::test
