// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <chrono>
#include <filesystem>
#include <string_view>
#include <utility>

namespace stageloom {

// Owns a file descriptor.
class FileDescriptor {
public:
    explicit FileDescriptor(int fd = -1)
        : m_fd(fd)
    {
    }
    FileDescriptor(FileDescriptor&& other) noexcept
        : m_fd(std::exchange(other.m_fd, -1))
    {
    }
    FileDescriptor& operator=(FileDescriptor&& other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    ~FileDescriptor();
    [[nodiscard]] int get() const { return m_fd; }
    [[nodiscard]] bool valid() const { return m_fd >= 0; }
    int release() { return std::exchange(m_fd, -1); }

private:
    int m_fd;
};

// Where the socket of a run's folder is put: in the folder, or, where that path is longer than a
// socket address holds (107 bytes), in the user's runtime folder under a hash of the folder.
Result<std::filesystem::path> controlSocketPath(const std::filesystem::path& folder);

Result<FileDescriptor> listenOn(const std::filesystem::path& socket);
// Reads `control.path` and connects.
Result<FileDescriptor> connectToRun(
    const std::filesystem::path& folder, std::chrono::milliseconds timeout);
// All of it, or an error; never raises SIGPIPE.
Status sendAll(int fd, std::string_view bytes, std::chrono::milliseconds timeout);

} // namespace stageloom
