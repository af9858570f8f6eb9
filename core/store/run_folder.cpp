// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_folder.h"
#include "core/base/files.h"
#include "core/base/text.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace stageloom {

std::filesystem::path runFolder(const std::filesystem::path& store, RunId id)
{
    return store.parent_path() / "runs" / std::to_string(id.value);
}

Result<RunLock> RunLock::take(const std::filesystem::path& folder)
{
    const std::string file = (folder / kLockFile).string();
    const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0)
        return fail(ErrorKind::Io, "cannot open the run's lock {}: {}", file, std::strerror(errno));
    // A client that looks whether the lock is free holds it for microseconds: try for a second.
    for (int attempt = 0; attempt < 100; ++attempt) {
        if (::flock(fd, LOCK_EX | LOCK_NB) == 0)
            return RunLock(fd);
        if (errno != EWOULDBLOCK && errno != EINTR)
            break;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    const int reason = errno;
    ::close(fd);
    if (reason == EWOULDBLOCK)
        return fail(
            ErrorKind::Busy, "another engine holds {}; a run has one engine at a time", file);
    return fail(ErrorKind::Io, "cannot lock {}: {}", file, std::strerror(reason));
}

RunLock::RunLock(RunLock&& other) noexcept
    : m_fd(std::exchange(other.m_fd, -1))
{
}

RunLock& RunLock::operator=(RunLock&& other) noexcept
{
    std::swap(m_fd, other.m_fd);
    return *this;
}

RunLock::~RunLock()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

LockState lockState(const std::filesystem::path& folder)
{
    const int fd = ::open((folder / kLockFile).c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return LockState::Missing;
    // Shared, so that two clients that look at once do not see each other.
    const bool free = ::flock(fd, LOCK_SH | LOCK_NB) == 0;
    ::close(fd);
    return free ? LockState::Free : LockState::Held;
}

std::string lastWords(const std::filesystem::path& folder, std::size_t lines)
{
    std::ifstream in(folder / kEngineLogFile, std::ios::binary | std::ios::ate);
    if (!in)
        return {};
    constexpr std::streamoff kTail = 16 * 1024;
    const std::streamoff size = in.tellg();
    const std::streamoff length = std::min(size, kTail);
    std::string text(std::size_t(std::max<std::streamoff>(length, 0)), '\0');
    in.seekg(size - length);
    in.read(text.data(), length);
    text.resize(std::size_t(in.gcount()));
    const std::string_view words = trim(text);
    std::size_t begin = words.size();
    for (std::size_t n = 0; n < lines && begin != std::string_view::npos; ++n)
        begin = begin == 0 ? std::string_view::npos : words.rfind('\n', begin - 1);
    return std::string(begin == std::string_view::npos ? words : words.substr(begin + 1));
}

std::string endOfEngine(const std::filesystem::path& folder, const std::string& exit)
{
    const std::string last = lastWords(folder, 1);
    const bool everyday = last.empty() || last.starts_with("info:") || last.starts_with("notice:");
    std::string text = exit.empty() ? std::string("the engine's process is gone")
                                    : "the engine ended with " + exit;
    if (everyday && exit.empty())
        text += " and left no word";
    if (exit.empty() ? everyday : exit.starts_with("signal 9 "))
        text += ": it was killed, by the out-of-memory killer for example (dmesg tells; smaller "
                "microbatches or more stages need less memory)";
    if (!everyday)
        text += "; the last line of its log: " + last;
    return text;
}

} // namespace stageloom
