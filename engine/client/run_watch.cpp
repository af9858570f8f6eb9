// SPDX-License-Identifier: Apache-2.0
#include "engine/client/run_watch.h"
#include "core/store/run_folder.h"
#include "engine/client/child_process.h"
#include "engine/client/control_socket.h"
#include "engine/client/protocol.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
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
constexpr auto kExitTimeout = 500ms; // from the free lock to the exit of a child
// Silence is counted in slices: a client that was itself stopped counts the time as one of them.
constexpr auto kSlice = 250ms;

class SocketWatch final : public RunWatch {
public:
    SocketWatch(std::filesystem::path folder, std::shared_ptr<RunListener> listener,
        FileDescriptor fd, FileDescriptor stop, std::chrono::milliseconds silence)
        : m_folder(std::move(folder))
        , m_silence(silence)
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
    void status(const RunStatus& status);
    void heardNothingFor(std::chrono::milliseconds slice);
    bool stillRunsAndAnswers();
    std::optional<ChildExit> exitOfEngine() const;
    void tellDeath();
    bool stoppedWithin(std::chrono::milliseconds time) const;

    std::filesystem::path m_folder;
    const std::chrono::milliseconds m_silence;
    std::chrono::milliseconds m_unheard { 0 }, m_toldUnheard { 0 };
    pid_t m_engine = 0;
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
                this->status(*status);
        return Stream::Open;
    }
    const ControlEvent& event = std::get<ControlEvent>(*message);
    if (const auto* point = std::get_if<MetricPoint>(&event))
        m_listener->onMetrics(*point);
    else if (const auto* spans = std::get_if<SpansEvent>(&event))
        m_listener->onSpans(spans->spans);
    else if (const auto* log = std::get_if<LogLine>(&event))
        m_listener->onLog(*log);
    else if (const auto* now = std::get_if<RunStatus>(&event))
        status(*now);
    else if (const auto* ended = std::get_if<EndedEvent>(&event)) {
        m_listener->onEnded(ended->state, ended->message);
        return Stream::Ended;
    }
    return Stream::Open;
}

void SocketWatch::status(const RunStatus& status)
{
    m_engine = status.pid;
    m_listener->onStatus(status);
}

void SocketWatch::heardNothingFor(std::chrono::milliseconds slice)
{
    m_unheard += slice;
    if (m_unheard - m_toldUnheard < m_silence)
        return;
    m_toldUnheard = m_unheard;
    m_listener->onSilence(std::chrono::duration<double>(m_unheard).count());
}

SocketWatch::Stream SocketWatch::readOnce()
{
    pollfd waits[2] = { { m_stop.get(), POLLIN, 0 }, { m_fd.get(), POLLIN, 0 } };
    const std::chrono::milliseconds slice = std::min<std::chrono::milliseconds>(kSlice, m_silence);
    const int ready = ::poll(waits, 2, int(slice.count()));
    if (ready == 0)
        heardNothingFor(slice);
    if (ready <= 0)
        return Stream::Open;
    if (waits[0].revents != 0)
        return Stream::Stopped;
    m_unheard = m_toldUnheard = 0ms;
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

// Where this process started the engine, it learns of its exit a moment after the lock is free.
std::optional<ChildExit> SocketWatch::exitOfEngine() const
{
    std::optional<ChildExit> exit;
    for (auto waited = 0ms; m_engine > 0 && waited < kExitTimeout; waited += 20ms) {
        exit = exitOfLeftChild(m_engine);
        if (exit || ::kill(m_engine, 0) != 0 || stoppedWithin(20ms))
            break;
    }
    return exit;
}

// Into the store that made the folder; where it is not at its place any more, the run is lost.
void keepFailure(const std::filesystem::path& folder, const std::string& words)
{
    const std::optional<FolderOwner> owner = ownerOfRunFolder(folder);
    std::error_code unknown;
    if (!owner || !std::filesystem::exists(owner->store.file, unknown))
        return;
    Result<Database> database = Database::open(owner->store.file);
    if (database && database->identity() == owner->store.identity)
        static_cast<void>(RunStore(*database).failKilled(owner->id, words));
}

// A kill that this process saw is the run's failure; of any other death nothing certain is known.
void SocketWatch::tellDeath()
{
    if (lockState(m_folder) == LockState::Held)
        return m_listener->onEnded(RunState::Lost, "the engine runs but closed its control socket");
    const std::optional<ChildExit> exit = exitOfEngine();
    const std::string words = endOfEngine(m_folder, exit ? exit->text : std::string());
    if (stoppedWithin(0ms))
        return;
    const bool killed = exit && exit->killed;
    if (killed)
        keepFailure(m_folder, words);
    m_listener->onEnded(killed ? RunState::Failed : RunState::Lost, words);
}

void SocketWatch::run()
{
    for (;;) {
        const Stream stream = readOnce();
        if (stream == Stream::Ended || stream == Stream::Stopped)
            return;
        if (stream == Stream::Open || stillRunsAndAnswers())
            continue;
        if (!stoppedWithin(0ms))
            tellDeath();
        return;
    }
}

} // namespace

Result<std::unique_ptr<RunWatch>> RunWatch::attach(const std::filesystem::path& folder,
    std::shared_ptr<RunListener> listener, std::chrono::milliseconds silence)
{
    Result<FileDescriptor> fd = subscribe(folder);
    if (!fd)
        return failure(fd);
    FileDescriptor stop(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!stop.valid())
        return fail(ErrorKind::Io, "cannot open an event descriptor to follow the run in {}",
            folder.string());
    return std::make_unique<SocketWatch>(
        folder, std::move(listener), std::move(*fd), std::move(stop), silence);
}

} // namespace stageloom
