// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include <filesystem>
#include <string>

namespace stageloom {

// Where a run keeps what is not in the database: `<store folder>/runs/<id>/`.
std::filesystem::path runFolder(const std::filesystem::path& store, RunId id);

// The files of a run's folder.
inline constexpr const char* kRequestFile = "request.json"; // the TrainRequest
inline constexpr const char* kLockFile = "lock"; // held by the engine for its lifetime
inline constexpr const char* kEngineLogFile = "engine.log"; // stdout and stderr of the engine
inline constexpr const char* kControlPathFile = "control.path"; // text: where the control socket is

// Says "this run's engine lives". The engine takes it first and drops it last; the kernel drops it
// when the process dies, however it dies.
class RunLock {
public:
    static Result<RunLock> take(const std::filesystem::path& folder);
    RunLock(RunLock&& other) noexcept;
    RunLock& operator=(RunLock&& other) noexcept;
    ~RunLock();

private:
    explicit RunLock(int fd)
        : m_fd(fd)
    {
    }
    int m_fd = -1;
};

enum class LockState { Held, Free, Missing };
LockState lockState(const std::filesystem::path& folder);

// The last lines of the engine's log, trimmed; empty where there is none.
std::string lastWords(const std::filesystem::path& folder, std::size_t lines = 5);

// One sentence for a run whose engine is gone without having ended it: how the process ended, where
// its parent knows ("exit code 3", "signal 9 (Killed)"), and the last line of its log, where that
// is not of everyday life.
std::string endOfEngine(const std::filesystem::path& folder, const std::string& exit = {});

} // namespace stageloom
