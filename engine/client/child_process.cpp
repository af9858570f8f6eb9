// SPDX-License-Identifier: Apache-2.0
#include "engine/client/child_process.h"

#include "core/base/text.h"
#include "engine/client/control_socket.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace stageloom {

namespace fs = std::filesystem;

Result<fs::path> enginePath()
{
    fs::path engine;
    if (const char* given = std::getenv("STAGELOOM_ENGINE"); given && *given) {
        engine = given;
    } else {
        std::error_code error;
        const fs::path self = fs::read_symlink("/proc/self/exe", error);
        if (error)
            return fail(ErrorKind::Io, "cannot tell where this program is: {}", error.message());
        engine = self.parent_path() / "stageloom-engine";
    }
    if (::access(engine.c_str(), X_OK) != 0 || fs::is_directory(engine))
        return fail(ErrorKind::Unsupported,
            "the engine program {} is not there or cannot be run; build stageloom-engine, or name "
            "it in "
            "the environment variable STAGELOOM_ENGINE",
            engine.string());
    return engine;
}

namespace {

// What posix_spawn needs, freed on every way out.
struct SpawnSetup {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    SpawnSetup()
    {
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawnattr_init(&attributes);
    }
    ~SpawnSetup()
    {
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&attributes);
    }
    SpawnSetup(const SpawnSetup&) = delete;
    SpawnSetup& operator=(const SpawnSetup&) = delete;

    void redirect(const ChildOutput& output)
    {
        ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, output.log.c_str(),
            O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
        ::posix_spawn_file_actions_adddup2(
            &actions, output.stdoutFd >= 0 ? output.stdoutFd : STDERR_FILENO, STDOUT_FILENO);
        ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    }
    void ownSession()
    {
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setsigdefault(&attributes, &all);
        ::posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
};

} // namespace

Result<pid_t> startChild(
    const fs::path& program, const std::vector<std::string>& arguments, const ChildOutput& output)
{
    SpawnSetup setup;
    setup.redirect(output);
    setup.ownSession();
    std::vector<std::string> words { program.string() };
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t child = -1;
    const int error = ::posix_spawn(
        &child, program.c_str(), &setup.actions, &setup.attributes, argv.data(), environ);
    if (error != 0)
        return fail(ErrorKind::Io, "cannot start {}: {}", program.string(), std::strerror(error));
    return child;
}

std::optional<ChildExit> pollChild(pid_t child)
{
    int status = 0;
    const pid_t found = ::waitpid(child, &status, WNOHANG);
    if (found == 0 || (found < 0 && errno == EINTR))
        return std::nullopt;
    if (found < 0)
        return ChildExit { false, "an exit that was not seen" };
    if (!WIFSIGNALED(status))
        return ChildExit { WEXITSTATUS(status) == 0,
            fmt::format("exit code {}", WEXITSTATUS(status)) };
    const int signal = WTERMSIG(status);
    const bool killed = signal == SIGKILL;
    return ChildExit { false,
        fmt::format("signal {} ({}){}", signal, ::strsignal(signal),
            killed ? ", most often the kernel's memory killer" : ""),
        killed };
}

namespace {

bool endsWithin(pid_t child, std::chrono::milliseconds time)
{
    constexpr std::chrono::milliseconds kLook { 10 };
    for (auto waited = std::chrono::milliseconds(0); waited < time; waited += kLook) {
        if (pollChild(child))
            return true;
        std::this_thread::sleep_for(kLook);
    }
    return false;
}

} // namespace

void endChild(pid_t child, std::chrono::milliseconds grace)
{
    ::kill(-child, SIGTERM); // its session's process group
    if (endsWithin(child, grace))
        return;
    ::kill(-child, SIGKILL);
    if (!endsWithin(child, std::max(grace, std::chrono::milliseconds(2000))))
        leaveChild(child);
}

namespace {

// Reads until the other end is closed.
Status readToEnd(int fd, std::chrono::milliseconds limit, std::size_t mostBytes, std::string& text)
{
    const auto deadline = std::chrono::steady_clock::now() + limit;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd ready { fd, POLLIN, 0 };
        if (left.count() <= 0 || ::poll(&ready, 1, int(left.count())) == 0)
            return fail(ErrorKind::Timeout, "did not answer within {} s",
                std::chrono::duration_cast<std::chrono::seconds>(limit).count());
        char bytes[4096];
        const ssize_t n = ::read(fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return {};
        text.append(bytes, std::size_t(n));
        if (text.size() > mostBytes)
            return fail(ErrorKind::Io, "writes more than {} bytes", mostBytes);
    }
}

} // namespace

Result<std::string> outputOf(const fs::path& program, const std::vector<std::string>& arguments,
    std::chrono::milliseconds limit, std::size_t mostBytes)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return fail(
            ErrorKind::Io, "cannot open a pipe to {}: {}", program.string(), std::strerror(errno));
    const FileDescriptor reading(ends[0]);
    FileDescriptor writing(ends[1]);
    const Result<pid_t> child = startChild(program, arguments, { "/dev/null", writing.get() });
    if (!child)
        return failure(child);
    writing = FileDescriptor(); // the child's copy alone keeps the pipe open
    std::string text;
    if (const Status read = readToEnd(reading.get(), limit, mostBytes, text); !read) {
        endChild(*child);
        return fail(read.error().kind, "{} {}", program.string(), read.error().message);
    }
    for (auto waited = std::chrono::milliseconds(0); waited < limit;
         waited += std::chrono::milliseconds(5)) { // its output is closed: it is about to end
        if (const std::optional<ChildExit> ended = pollChild(*child)) {
            if (ended->ok)
                return text;
            return fail(ErrorKind::Io, "{} {} ended with {}", program.string(),
                joined(arguments, " "), ended->text);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    endChild(*child);
    return fail(ErrorKind::Timeout, "{} closed its output but did not end", program.string());
}

namespace {

// The children that go on, with their exits once they are known: few, so a list will do.
class LeftChildren {
public:
    static LeftChildren& instance()
    {
        static LeftChildren children;
        return children;
    }
    void add(pid_t child)
    {
        const std::lock_guard lock(m_mutex);
        collect();
        std::erase_if(m_children, [child](const Left& left) { return left.pid == child; });
        m_children.push_back({ child, std::nullopt });
    }
    std::optional<ChildExit> takeExit(pid_t child)
    {
        const std::lock_guard lock(m_mutex);
        collect();
        const auto left = std::find_if(m_children.begin(), m_children.end(),
            [child](const Left& one) { return one.pid == child && one.exit; });
        if (left == m_children.end())
            return std::nullopt;
        const std::optional<ChildExit> exit = left->exit;
        m_children.erase(left);
        return exit;
    }

private:
    struct Left {
        pid_t pid = -1;
        std::optional<ChildExit> exit;
    };
    void collect()
    {
        for (Left& left : m_children)
            if (!left.exit)
                left.exit = pollChild(left.pid);
    }
    std::mutex m_mutex;
    std::vector<Left> m_children;
};

} // namespace

void leaveChild(pid_t child)
{
    LeftChildren::instance().add(child);
}

std::optional<ChildExit> exitOfLeftChild(pid_t child)
{
    return LeftChildren::instance().takeExit(child);
}

} // namespace stageloom
