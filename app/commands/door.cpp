// SPDX-License-Identifier: GPL-3.0-or-later
// The door of the commands: what no command expected ends here, and so does what they printed.
#include "app/commands/command.h"
#include "core/base/json.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <unistd.h>

namespace stageloom {

namespace {

// A standard stream that the caller closed would be the next file that is opened, the run store for
// one, and what is printed would go into it. Output that nobody can have fails as it should.
void keepStandardStreams()
{
    for (const int fd : { STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO })
        if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            static_cast<void>(
                ::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY)); // takes fd
}

std::string wordsOf(const std::filesystem::filesystem_error& error)
{
    std::error_code gone;
    static_cast<void>(std::filesystem::current_path(gone));
    if (gone)
        return fmt::format(
            "the current folder is not there any more ({}): change to a folder that exists",
            gone.message());
    return fmt::format("cannot use {}: {}", error.path1().string(), error.code().message());
}

void say(const std::string& words)
{
    std::fprintf(stderr, "stageloom: %s\n", words.c_str());
}

int withoutExceptions(const std::function<int()>& body)
{
    try {
        return body();
    } catch (const std::bad_alloc&) {
        // No memory is asked for to say so.
        std::fputs("stageloom: there is not enough memory for this; ask for less at once (fewer "
                   "batches or microbatches, a smaller file), or raise the limit (ulimit -v)\n",
            stderr);
    } catch (const std::filesystem::filesystem_error& error) {
        say(wordsOf(error));
    } catch (const Json::exception& error) {
        say(fmt::format(
            "a JSON document holds another kind of value than expected: {}", error.what()));
    } catch (const std::exception& error) {
        if (outputFailed()) // the end of the output has the sentence
            return 0;
        say(fmt::format("this should not have happened, please report it: {}", error.what()));
    }
    return 1;
}

// The other end of a pipe is closed: its reader has seen enough.
bool readerIsGone()
{
    pollfd out { STDOUT_FILENO, POLLOUT, 0 };
    return ::poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

int endOutput(int code)
{
    errno = 0;
    const bool flushed = std::fflush(stdout) == 0;
    const int reason = errno;
    if ((flushed && !outputFailed()) || reason == EPIPE || readerIsGone())
        return code;
    say(fmt::format("standard output cannot be written to its end: {}",
        flushed ? "is the disk full?" : std::strerror(reason)));
    return 1;
}

} // namespace

bool outputFailed()
{
    return std::ferror(stdout) != 0;
}

bool printText(std::string_view text)
{
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
}

int throughTheDoor(const std::function<int()>& body)
{
    keepStandardStreams();
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is seen where the output ends
    return endOutput(withoutExceptions(body));
}

} // namespace stageloom
