// SPDX-License-Identifier: Apache-2.0
#include "engine/client/control_socket.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/store/run_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace stageloom {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMaxSocketPath = sizeof(sockaddr_un::sun_path) - 1;

// A folder of this user alone: nobody else may put a socket where a client will look.
Result<fs::path> runtimeFolder()
{
    fs::path folder = "/tmp/stageloom-" + std::to_string(::getuid());
    if (const char* given = std::getenv("XDG_RUNTIME_DIR");
        given && std::strlen(given) < 60 && *given)
        folder = fs::path(given) / "stageloom";
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return fail(ErrorKind::Io, "cannot make the folder {} for the control socket: {}",
            folder.string(), std::strerror(errno));
    struct stat info { };
    if (::lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != ::getuid()
        || (info.st_mode & 077) != 0)
        return fail(ErrorKind::Io,
            "{} is not a folder that belongs to this user alone, so no control socket goes there; "
            "remove it or set XDG_RUNTIME_DIR",
            folder.string());
    return folder;
}

Result<sockaddr_un> addressOf(const fs::path& socket)
{
    sockaddr_un address {};
    address.sun_family = AF_UNIX;
    const std::string path = socket.string();
    if (path.empty() || path.size() > kMaxSocketPath)
        return fail(ErrorKind::Io, "'{}' cannot be a socket's path: it has {} bytes of at most {}",
            path, path.size(), kMaxSocketPath);
    std::memcpy(address.sun_path, path.data(), path.size());
    return address;
}

Result<FileDescriptor> openSocket()
{
    FileDescriptor fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd.valid())
        return fail(ErrorKind::Io, "cannot open a socket: {}", std::strerror(errno));
    return fd;
}

const sockaddr* generic(const sockaddr_un& address)
{
    return reinterpret_cast<const sockaddr*>(&address);
}

} // namespace

FileDescriptor::~FileDescriptor()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

Result<fs::path> controlSocketPath(const fs::path& folder)
{
    const fs::path inside = fs::absolute(folder) / "control.sock";
    if (inside.string().size() <= kMaxSocketPath)
        return inside;
    const Result<fs::path> outside = runtimeFolder();
    if (!outside)
        return failure(outside);
    return *outside / fmt::format("{:016x}.sock", fnv1a(inside.string()));
}

Result<FileDescriptor> listenOn(const fs::path& socket)
{
    const Result<sockaddr_un> address = addressOf(socket);
    if (!address)
        return failure(address);
    Result<FileDescriptor> fd = openSocket();
    if (!fd)
        return fd;
    ::unlink(socket.c_str()); // a dead engine's; the run's lock says that there is no living one
    if (::bind(fd->get(), generic(*address), sizeof(*address)) != 0
        || ::chmod(socket.c_str(), 0600) != 0 || ::listen(fd->get(), 16) != 0)
        return fail(ErrorKind::Io, "cannot listen on the control socket {}: {}", socket.string(),
            std::strerror(errno));
    return fd;
}

Result<FileDescriptor> connectToRun(const fs::path& folder, std::chrono::milliseconds timeout)
{
    const Result<std::string> place = readTextFile(folder / kControlPathFile, 4096);
    if (!place)
        return fail(ErrorKind::Io, "no engine listens in {}: it has no {}", folder.string(),
            kControlPathFile);
    const fs::path socket { std::string(trim(*place)) };
    const Result<sockaddr_un> address = addressOf(socket);
    if (!address)
        return failure(address);
    Result<FileDescriptor> fd = openSocket();
    if (!fd)
        return fd;
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (::connect(fd->get(), generic(*address), sizeof(*address)) != 0) {
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN) // ENOENT, ECONNREFUSED: nobody there
            return fail(ErrorKind::Io, "no engine answers on {}: {}", socket.string(),
                std::strerror(errno));
        if (std::chrono::steady_clock::now() >= deadline)
            return fail(ErrorKind::Timeout, "the engine behind {} takes no connection within {} ms",
                socket.string(), timeout.count());
        ::poll(nullptr, 0, 5);
    }
    return fd;
}

Status sendAll(int fd, std::string_view bytes, std::chrono::milliseconds timeout)
{
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (!bytes.empty()) {
        const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            bytes.remove_prefix(std::size_t(n));
            continue;
        }
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
            return fail(
                ErrorKind::Io, "the engine closed its control socket: {}", std::strerror(errno));
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0)
            return fail(ErrorKind::Timeout,
                "the engine did not read its control socket within {} ms", timeout.count());
        pollfd wait { fd, POLLOUT, 0 };
        ::poll(&wait, 1, int(left.count()));
    }
    return {};
}

} // namespace stageloom
