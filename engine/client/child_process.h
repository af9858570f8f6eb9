// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace stageloom {

// stageloom-engine beside this program, or what STAGELOOM_ENGINE names.
Result<std::filesystem::path> enginePath();

struct ChildOutput {
    std::filesystem::path log; // stderr, and stdout where there is no pipe; made anew
    int stdoutFd = -1; // the writing end of a pipe
};

// Starts a program in a session of its own: it outlives this process and no Ctrl-C of its terminal
// reaches it. It inherits nothing but the output. Returns its process id.
Result<pid_t> startChild(const std::filesystem::path& program,
    const std::vector<std::string>& arguments, const ChildOutput& output);

// The exit, once the child has ended; nothing while it runs.
struct ChildExit {
    bool ok = false;
    std::string text; // "exit code 3", "signal 6 (Aborted)"
    bool killed = false; // by signal 9
};
std::optional<ChildExit> pollChild(pid_t child);

// Asks its session to end, insists after `grace`, and collects its exit within the same time once
// more; what even then does not end (it waits for a disk) is left.
void endChild(pid_t child, std::chrono::milliseconds grace = std::chrono::milliseconds(2000));

// What a program writes to its standard output, once it has ended well within `limit`.
Result<std::string> outputOf(const std::filesystem::path& program,
    const std::vector<std::string>& arguments, std::chrono::milliseconds limit,
    std::size_t mostBytes);

// A child that goes on: its exit is collected at a later call, so that none is left a zombie for
// good.
void leaveChild(pid_t child);

// How a child that was left has ended; nothing where it was none of this process, still runs, or
// was asked for before. Any thread.
std::optional<ChildExit> exitOfLeftChild(pid_t child);

} // namespace stageloom
