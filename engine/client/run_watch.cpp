// SPDX-License-Identifier: Apache-2.0
#include "engine/client/run_watch.h"
#include "core/store/run_folder.h"
#include "engine/client/control_socket.h"
#include "engine/client/protocol.h"

#include <cerrno>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace stageloom {

namespace {

using namespace std::chrono_literals;
constexpr auto kConnectTimeout = 2000ms;
constexpr auto kDyingTimeout
    = 3000ms; // from the closed socket to the free lock of an engine that ends

class SocketWatch final : public RunWatch {
public:
    SocketWatch(std::filesystem::path folder, std::shared_ptr<RunListener> listener,
        FileDescriptor fd, FileDescriptor stop)
        : m_folder(std::move(folder))
        , m_listener(std::move(listener))
        , m_fd(std::move(fd))
        , m_stop(std::move(stop))
        , m_thread([this] { run(); })
    {
    }
    ~SocketWatch() override
    {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t n = ::write(m_stop.get(), &one, sizeof one);
        m_thread.join();
    }

private:
    enum class Stream { Open, Ended, Closed, Stopped };

    void run();
    Stream readOnce();
    Stream deliver(const std::string& line);
    bool stillRunsAndAnswers();
    bool stoppedWithin(std::chrono::milliseconds time) const;

    std::filesystem::path m_folder;
    std::shared_ptr<RunListener> m_listener;
    FileDescriptor m_fd, m_stop;
    LineBuffer m_lines;
    std::thread m_thread; // last: uses all above
};

Result<FileDescriptor> subscribe(const std::filesystem::path& folder)
{
    Result<FileDescriptor> fd = connectToRun(folder, kConnectTimeout);
    if (!fd)
        return fd;
    // The query's answer is the first status a listener hears of.
    const Status sent = sendAll(fd->get(),
        encodeCommand(ControlCommand::Subscribe) + encodeCommand(ControlCommand::Query),
        kConnectTimeout);
    if (!sent)
        return failure(sent);
    return fd;
}

bool SocketWatch::stoppedWithin(std::chrono::milliseconds time) const
{
    pollfd wait { m_stop.get(), POLLIN, 0 };
    return ::poll(&wait, 1, int(time.count())) > 0;
}

SocketWatch::Stream SocketWatch::deliver(const std::string& line)
{
    const Result<ControlMessage> message = decodeMessage(line);
    if (!message) {
        m_listener->onLog({ 0, "warning", message.error().message });
        return Stream::Open;
    }
    if (const Json* reply = std::get_if<Json>(&*message)) {
        if (reply->contains("status"))
            if (const Result<RunStatus> status = replyRunStatus(*reply))
                m_listener->onStatus(*status);
        return Stream::Open;
    }
    const ControlEvent& event = std::get<ControlEvent>(*message);
    if (const auto* point = std::get_if<MetricPoint>(&event))
        m_listener->onMetrics(*point);
    else if (const auto* spans = std::get_if<SpansEvent>(&event))
        m_listener->onSpans(spans->spans);
    else if (const auto* log = std::get_if<LogLine>(&event))
        m_listener->onLog(*log);
    else if (const auto* status = std::get_if<RunStatus>(&event))
        m_listener->onStatus(*status);
    else if (const auto* ended = std::get_if<EndedEvent>(&event)) {
        m_listener->onEnded(ended->state, ended->message);
        return Stream::Ended;
    }
    return Stream::Open;
}

SocketWatch::Stream SocketWatch::readOnce()
{
    pollfd waits[2] = { { m_stop.get(), POLLIN, 0 }, { m_fd.get(), POLLIN, 0 } };
    if (::poll(waits, 2, -1) < 0)
        return Stream::Open;
    if (waits[0].revents != 0)
        return Stream::Stopped;
    char bytes[65536];
    const ssize_t n = ::recv(m_fd.get(), bytes, sizeof bytes, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return Stream::Open;
    if (n <= 0 || !m_lines.feed({ bytes, std::size_t(n) }))
        return Stream::Closed;
    while (const std::optional<std::string> line = m_lines.next())
        if (const Stream stream = deliver(*line); stream != Stream::Open)
            return stream;
    return Stream::Open;
}

// The socket closed without an end. An engine that drops a slow client lives on: connect again.
bool SocketWatch::stillRunsAndAnswers()
{
    for (auto waited = 0ms; waited < kDyingTimeout; waited += 20ms) {
        if (lockState(m_folder) != LockState::Held)
            return false;
        if (Result<FileDescriptor> fd = subscribe(m_folder)) {
            m_fd = std::move(*fd);
            m_lines = LineBuffer {};
            return true;
        }
        if (stoppedWithin(20ms))
            return false;
    }
    return false;
}

void SocketWatch::run()
{
    for (;;) {
        const Stream stream = readOnce();
        if (stream == Stream::Ended || stream == Stream::Stopped)
            return;
        if (stream == Stream::Open || stillRunsAndAnswers())
            continue;
        if (stoppedWithin(0ms))
            return;
        const std::string words = lastWords(m_folder);
        if (lockState(m_folder) == LockState::Held)
            m_listener->onEnded(RunState::Lost, "the engine runs but closed its control socket");
        else
            m_listener->onEnded(RunState::Lost, words); // what the store will say, too
        return;
    }
}

} // namespace

Result<std::unique_ptr<RunWatch>> RunWatch::attach(
    const std::filesystem::path& folder, std::shared_ptr<RunListener> listener)
{
    Result<FileDescriptor> fd = subscribe(folder);
    if (!fd)
        return failure(fd);
    FileDescriptor stop(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!stop.valid())
        return fail(ErrorKind::Io, "cannot open an event descriptor to follow the run in {}",
            folder.string());
    return std::make_unique<SocketWatch>(
        folder, std::move(listener), std::move(*fd), std::move(stop));
}

} // namespace stageloom
