// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/base/units.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <linux/magic.h>
#include <optional>
#include <poll.h>
#include <sstream>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace stageloom {

namespace fs = std::filesystem;

Result<std::string> readTextFile(const fs::path& path, std::uintmax_t maxBytes)
{
    std::error_code error;
    const auto status = fs::status(path, error);
    if (!fs::exists(status))
        return fail(ErrorKind::Io, "there is no file {}", path.string());
    if (fs::is_directory(status))
        return fail(ErrorKind::Io, "{} is a folder; a file was expected", path.string());
    if (!fs::is_regular_file(status))
        return fail(ErrorKind::Io, "{} is not a regular file", path.string());
    const auto size = fs::file_size(path, error);
    if (!error && size > maxBytes)
        return fail(ErrorKind::Io, "{} holds {}; more than {} is not read here", path.string(),
            formatBytes(double(size)), formatBytes(double(maxBytes)));
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return fail(ErrorKind::Io, "cannot read {}: {}", path.string(), std::strerror(errno));
    std::ostringstream content;
    content << in.rdbuf();
    return std::move(content).str();
}

namespace {

constexpr int kMostLinks = 40; // as the kernel follows
constexpr std::chrono::seconds kReaderTimeout { 5 }; // until somebody opens a FIFO's other end
constexpr std::chrono::seconds kStallTimeout { 60 }; // while a pipe or device takes nothing

// Closed on every way out; finish() says whether that worked.
class OpenFile {
public:
    explicit OpenFile(int fd)
        : m_fd(fd)
    {
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    [[nodiscard]] int get() const { return m_fd; }
    bool finish() { return ::close(std::exchange(m_fd, -1)) == 0; }

private:
    int m_fd;
};

tl::unexpected<Error> cannotWrite(const fs::path& path, int reason)
{
    return fail(ErrorKind::Io, "cannot write {}: {}", path.string(), std::strerror(reason));
}

// The links of /proc/self/fd lead to what is open, not to a name (/dev/stdout is one of them).
bool isProcess(const fs::path& folder)
{
    struct statfs info { };
    return ::statfs(folder.empty() ? "." : folder.c_str(), &info) == 0
        && info.f_type == PROC_SUPER_MAGIC;
}

struct Place {
    fs::path file; // behind all links; need not be there
    bool stream = false; // an open descriptor's name in /proc
};

Result<Place> placeOf(const fs::path& path)
{
    fs::path at = path;
    for (int links = 0; links < kMostLinks; ++links) {
        std::error_code error;
        if (!fs::is_symlink(fs::symlink_status(at, error)))
            return Place { at, false };
        if (isProcess(at.parent_path()))
            return Place { at, true };
        const fs::path next = fs::read_symlink(at, error);
        if (error)
            return fail(
                ErrorKind::Io, "cannot follow the link {}: {}", at.string(), error.message());
        at = next.is_absolute() ? next : at.parent_path() / next;
    }
    return fail(ErrorKind::Io, "cannot write {}: its links go round in a circle", path.string());
}

// Standard output goes on where it is, be it a file or not.
std::optional<int> ownDescriptor(const fs::path& stream)
{
    std::error_code error;
    if (fs::canonical(stream.parent_path(), error) != fs::canonical("/proc/self/fd", error))
        return std::nullopt;
    const std::string name = stream.filename().string();
    if (name.empty() || name.size() > 6
        || name.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    std::fflush(nullptr); // what was printed before comes before
    const int fd = ::fcntl(std::stoi(name), F_DUPFD_CLOEXEC, 0);
    return fd < 0 ? std::nullopt : std::optional(fd);
}

// A FIFO opens once somebody reads it.
int openToWriteInto(const fs::path& file)
{
    const auto deadline = std::chrono::steady_clock::now() + kReaderTimeout;
    for (;;) {
        const int fd = ::open(file.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
        if (fd >= 0 || errno != ENXIO || std::chrono::steady_clock::now() >= deadline)
            return fd;
        ::poll(nullptr, 0, 20);
    }
}

// A reader that goes away ends this write, not the program.
class NoPipeSignal {
public:
    NoPipeSignal()
    {
        sigemptyset(&m_pipe);
        sigaddset(&m_pipe, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
    }
    NoPipeSignal(const NoPipeSignal&) = delete;
    NoPipeSignal& operator=(const NoPipeSignal&) = delete;
    ~NoPipeSignal()
    {
        const timespec now {};
        if (sigismember(&m_before, SIGPIPE) == 0)
            while (::sigtimedwait(&m_pipe, nullptr, &now) > 0) { }
        ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }

private:
    sigset_t m_pipe {}, m_before {};
};

// 0, or the errno of what went wrong.
int writeAll(int fd, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t n = ::write(fd, content.data(), content.size());
        if (n >= 0) {
            content.remove_prefix(std::size_t(n));
            continue;
        }
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN)
            return errno;
        pollfd wait { fd, POLLOUT, 0 };
        if (::poll(&wait, 1, int(std::chrono::milliseconds(kStallTimeout).count())) == 0)
            return ETIMEDOUT;
    }
    return 0;
}

using Make = std::function<Status(const TextSink&)>;

Status makeInto(int fd, const fs::path& path, const Make& make)
{
    int reason = 0;
    const Status made = make([&](std::string_view piece) {
        reason = reason == 0 ? writeAll(fd, piece) : reason;
        return reason == 0;
    });
    return reason == 0 ? made : cannotWrite(path, reason);
}

Status writeInto(const fs::path& path, const Place& place, const Make& make)
{
    const std::optional<int> own = place.stream ? ownDescriptor(place.file) : std::nullopt;
    OpenFile file(own ? *own : openToWriteInto(place.file));
    if (file.get() < 0 && errno == ENXIO)
        return fail(ErrorKind::Io,
            "cannot write {}: no program reads from it; start the reader first", path.string());
    if (file.get() < 0)
        return cannotWrite(path, errno);
    const NoPipeSignal guard;
    if (const Status made = makeInto(file.get(), path, make); !made)
        return made;
    return file.finish() ? Status {} : cannotWrite(path, errno);
}

// A name that nobody can foresee and wait at with a link.
fs::path temporaryBeside(const fs::path& file)
{
    std::array<unsigned char, 8> bytes {};
    if (::getrandom(bytes.data(), bytes.size(), 0) != ssize_t(bytes.size()))
        std::memcpy(bytes.data(), &errno, sizeof errno); // O_EXCL refuses what is taken
    std::string name = ".stageloom-";
    for (const unsigned char byte : bytes)
        name += fmt::format("{:02x}", byte);
    return file.parent_path() / name;
}

Status replace(
    const fs::path& path, const fs::path& file, const struct stat* before, const Make& make)
{
    const fs::path temporary = temporaryBeside(file);
    OpenFile made(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (made.get() < 0 && errno != ENOENT)
        return fail(ErrorKind::Io, "cannot write {}: its folder takes no new file: {}",
            path.string(), std::strerror(errno));
    if (made.get() < 0)
        return cannotWrite(path, errno);
    const auto giveUp = [&](int reason) -> Status {
        ::unlink(temporary.c_str());
        return cannotWrite(path, reason);
    };
    if (before != nullptr) {
        // Another owner's file stays theirs where that is possible.
        [[maybe_unused]] const int owner = ::fchown(made.get(), before->st_uid, before->st_gid);
        if (::fchmod(made.get(), before->st_mode & 07777) != 0)
            return giveUp(errno);
    }
    if (const Status written = makeInto(made.get(), path, make); !written) {
        ::unlink(temporary.c_str());
        return written;
    }
    if (::fsync(made.get()) != 0 || !made.finish())
        return giveUp(errno);
    if (::rename(temporary.c_str(), file.c_str()) != 0)
        return giveUp(errno);
    return {};
}

} // namespace

Status writeFileAtomically(const fs::path& path, std::string_view content)
{
    return writeFileAtomically(path, [content](const TextSink& sink) {
        sink(content);
        return Status {};
    });
}

Status writeFileAtomically(const fs::path& path, const Make& make)
{
    const Result<Place> place = placeOf(path);
    if (!place)
        return failure(place);
    if (place->stream)
        return writeInto(path, *place, make);
    struct stat before { };
    if (::stat(place->file.c_str(), &before) != 0) {
        if (errno != ENOENT)
            return cannotWrite(path, errno);
        return replace(path, place->file, nullptr, make);
    }
    switch (before.st_mode & S_IFMT) {
    case S_IFREG:
        if (::access(place->file.c_str(), W_OK) != 0)
            return cannotWrite(path, errno);
        return replace(path, place->file, &before, make);
    case S_IFCHR:
    case S_IFIFO:
        return writeInto(path, *place, make);
    case S_IFDIR:
        return fail(ErrorKind::Io, "cannot write {}: it is a folder; name a file", path.string());
    default:
        return fail(ErrorKind::Io,
            "cannot write {}: it is neither a file nor a pipe or character device; name a file",
            path.string());
    }
}

} // namespace stageloom
