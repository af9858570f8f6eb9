// SPDX-License-Identifier: Apache-2.0
#include "engine/client/run_control.h"
#include "engine/client/control_socket.h"
#include "engine/client/protocol.h"

#include <cerrno>
#include <poll.h>
#include <sys/socket.h>

namespace stageloom {

struct RunControl::State {
    FileDescriptor fd;
    std::chrono::milliseconds timeout;
    LineBuffer lines;
};

namespace {

using Clock = std::chrono::steady_clock;

// Reads what has come, waiting until the deadline for the first byte.
Status receiveSome(
    int fd, LineBuffer& lines, Clock::time_point deadline, std::chrono::milliseconds timeout)
{
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd wait { fd, POLLIN, 0 };
    if (left.count() <= 0 || ::poll(&wait, 1, int(left.count())) == 0)
        return fail(ErrorKind::Timeout, "the engine did not answer within {} ms", timeout.count());
    char bytes[4096];
    const ssize_t n = ::recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (n == 0)
        return fail(ErrorKind::Io, "the engine has closed its control socket: the run has ended");
    if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
        return fail(ErrorKind::Io, "the connection to the engine broke");
    return n < 0 ? Status {} : lines.feed({ bytes, std::size_t(n) });
}

Result<Json> nextReply(int fd, LineBuffer& lines, std::chrono::milliseconds timeout)
{
    const auto deadline = Clock::now() + timeout;
    for (;;) {
        while (const std::optional<std::string> line = lines.next()) {
            Result<ControlMessage> message = decodeMessage(*line);
            if (!message)
                return failure(message);
            if (Json* reply = std::get_if<Json>(&*message))
                return std::move(*reply);
        }
        if (const Status received = receiveSome(fd, lines, deadline, timeout); !received)
            return failure(received);
    }
}

} // namespace

RunControl::RunControl(int fd, std::chrono::milliseconds timeout)
    : m_state(new State { FileDescriptor(fd), timeout, LineBuffer {} })
{
}

RunControl::RunControl(RunControl&&) noexcept = default;
RunControl& RunControl::operator=(RunControl&&) noexcept = default;
RunControl::~RunControl() = default;

Result<RunControl> RunControl::connect(
    const std::filesystem::path& folder, std::chrono::milliseconds timeout)
{
    Result<FileDescriptor> fd = connectToRun(folder, timeout);
    if (!fd)
        return failure(fd);
    return RunControl(fd->release(), timeout);
}

Result<Json> RunControl::call(ControlCommand command)
{
    FileDescriptor& fd = m_state->fd;
    if (!fd.valid())
        return fail(ErrorKind::Io,
            "the connection to the engine was given up after an error; connect again");
    const Status sent = sendAll(fd.get(), encodeCommand(command), m_state->timeout);
    Result<Json> reply = sent ? nextReply(fd.get(), m_state->lines, m_state->timeout)
                              : Result<Json>(failure(sent));
    if (reply)
        return reply;
    fd = FileDescriptor(); // a late answer would be taken for the next one
    // What lies in its socket is read once it goes on, whoever has left by then.
    if (sent && reply.error().kind == ErrorKind::Timeout && command != ControlCommand::Query)
        return fail(ErrorKind::Timeout,
            "{}; it has got the command '{}' and carries it out as soon as it goes on",
            reply.error().message, toString(command));
    return reply;
}

Status RunControl::ask(ControlCommand command)
{
    const Result<Json> reply = call(command);
    return reply ? replyStatus(*reply) : Status(failure(reply));
}

Status RunControl::pause()
{
    return ask(ControlCommand::Pause);
}
Status RunControl::resume()
{
    return ask(ControlCommand::Resume);
}
Status RunControl::checkpoint()
{
    return ask(ControlCommand::Checkpoint);
}
Status RunControl::stopAfterBatch()
{
    return ask(ControlCommand::StopAfterBatch);
}
Status RunControl::stopNow()
{
    return ask(ControlCommand::StopNow);
}

Result<RunStatus> RunControl::query()
{
    const Result<Json> reply = call(ControlCommand::Query);
    return reply ? replyRunStatus(*reply) : Result<RunStatus>(failure(reply));
}

} // namespace stageloom
