// SPDX-License-Identifier: Apache-2.0
#include "engine/control/control_server.h"
#include "core/base/files.h"
#include "core/store/run_folder.h"
#include "engine/client/control_socket.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <list>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace stageloom {

namespace {

constexpr std::size_t kMaxCommandLine = 64u << 10;
constexpr std::size_t kMaxClients = 64;
constexpr auto kFarewell = std::chrono::seconds(1); // for what is queued when the server goes
using SharedLine = std::shared_ptr<const std::string>;

struct Client {
    FileDescriptor fd;
    LineBuffer input { kMaxCommandLine };
    std::deque<SharedLine> output;
    std::size_t outputBytes = 0; // in `output`, what is sent already included
    std::size_t sentOfFirst = 0;
    bool subscribed = false;
    bool dead = false;
};

} // namespace

struct ControlServer::State {
    std::filesystem::path socket;
    ControlHandlers handlers;
    std::size_t queueLimit = 0;
    FileDescriptor listener, wake;
    std::list<Client> clients; // server thread only
    std::chrono::steady_clock::time_point delivered; // the last event; server thread only
    std::atomic<int> subscribers = 0;
    std::mutex mutex; // guards the two below
    std::vector<ControlEvent> inbox;
    bool stopping = false;
    std::thread thread;

    void run();
    void wakeUp() const;
    void queue(Client& client, SharedLine line) const;
    void deliverInbox();
    void deliver(const ControlEvent& event);
    void beat();
    void accept();
    void receive(Client& client);
    void answer(Client& client, const std::string& line);
    void send(Client& client) const;
    void pollOnce(int timeoutMs);
    void dropDead();
    [[nodiscard]] bool isStopping();
    [[nodiscard]] bool anythingQueued() const;
};

void ControlServer::State::wakeUp() const
{
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t n = ::write(wake.get(), &one, sizeof one);
}

bool ControlServer::State::isStopping()
{
    const std::lock_guard lock(mutex);
    return stopping;
}

bool ControlServer::State::anythingQueued() const
{
    return std::any_of(
        clients.begin(), clients.end(), [](const Client& c) { return !c.output.empty(); });
}

void ControlServer::State::queue(Client& client, SharedLine line) const
{
    client.outputBytes += line->size();
    if (client.outputBytes > queueLimit) {
        client.dead = true;
        return;
    }
    client.output.push_back(std::move(line));
}

void ControlServer::State::deliverInbox()
{
    std::vector<ControlEvent> events;
    {
        const std::lock_guard lock(mutex);
        events.swap(inbox);
    }
    for (const ControlEvent& event : events) {
        if (subscribers == 0)
            return;
        deliver(event);
    }
}

void ControlServer::State::deliver(const ControlEvent& event)
{
    const auto line = std::make_shared<const std::string>(encodeEvent(event));
    for (Client& client : clients)
        if (client.subscribed && !client.dead)
            queue(client, line);
    delivered = std::chrono::steady_clock::now();
}

void ControlServer::State::beat()
{
    if (subscribers > 0 && std::chrono::steady_clock::now() - delivered >= kHeartbeat)
        deliver(handlers.query());
}

void ControlServer::State::accept()
{
    FileDescriptor fd(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd.valid() || clients.size() >= kMaxClients)
        return;
    clients.emplace_back().fd = std::move(fd);
}

void ControlServer::State::receive(Client& client)
{
    char bytes[4096];
    const ssize_t n = ::recv(client.fd.get(), bytes, sizeof bytes, MSG_DONTWAIT);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
        client.dead = true;
        return;
    }
    if (n < 0)
        return;
    if (const Status fed = client.input.feed({ bytes, std::size_t(n) }); !fed) {
        client.dead = true; // it does not speak this protocol
        return;
    }
    while (const std::optional<std::string> line = client.input.next())
        answer(client, *line);
}

void ControlServer::State::answer(Client& client, const std::string& line)
{
    const Result<ControlCommand> command = decodeCommand(line);
    std::string reply;
    if (!command) {
        reply = encodeReply(Status(failure(command)));
    } else if (*command == ControlCommand::Query) {
        reply = encodeReply(handlers.query());
    } else if (*command == ControlCommand::Subscribe) {
        if (!std::exchange(client.subscribed, true))
            ++subscribers;
        delivered = std::chrono::steady_clock::now(); // the first beat comes a while after
        reply = encodeReply(Status {});
    } else {
        reply = encodeReply(handlers.command(*command));
    }
    queue(client, std::make_shared<const std::string>(std::move(reply)));
}

void ControlServer::State::send(Client& client) const
{
    while (!client.output.empty()) {
        const std::string& first = *client.output.front();
        const ssize_t n = ::send(client.fd.get(), first.data() + client.sentOfFirst,
            first.size() - client.sentOfFirst, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0) {
            client.dead = errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
            return;
        }
        client.sentOfFirst += std::size_t(n);
        if (client.sentOfFirst < first.size())
            return;
        client.outputBytes -= first.size();
        client.sentOfFirst = 0;
        client.output.pop_front();
    }
}

void ControlServer::State::dropDead()
{
    clients.remove_if([this](const Client& client) {
        if (client.dead && client.subscribed)
            --subscribers;
        return client.dead;
    });
}

void ControlServer::State::pollOnce(int timeoutMs)
{
    std::vector<pollfd> waits { { wake.get(), POLLIN, 0 }, { listener.get(), POLLIN, 0 } };
    for (const Client& client : clients) {
        const int wanted = client.output.empty() ? POLLIN : POLLIN | POLLOUT;
        waits.push_back({ client.fd.get(), short(wanted), 0 });
    }
    if (::poll(waits.data(), waits.size(), timeoutMs) <= 0)
        return;
    if (waits[0].revents != 0) {
        std::uint64_t count = 0;
        [[maybe_unused]] const ssize_t n = ::read(wake.get(), &count, sizeof count);
    }
    std::size_t at = 2;
    for (Client& client : clients) {
        const short events = waits[at++].revents;
        if ((events & (POLLIN | POLLHUP | POLLERR)) != 0)
            receive(client);
        if (!client.dead && !client.output.empty())
            send(client);
    }
    if (waits[1].revents != 0)
        accept();
}

void ControlServer::State::run()
{
    while (!isStopping()) {
        pollOnce(int(kHeartbeat.count()));
        deliverInbox();
        beat();
        dropDead();
    }
    deliverInbox();
    const auto deadline = std::chrono::steady_clock::now() + kFarewell;
    while (anythingQueued() && std::chrono::steady_clock::now() < deadline) {
        for (Client& client : clients)
            send(client);
        dropDead();
        if (anythingQueued())
            pollOnce(20);
    }
}

ControlServer::ControlServer()
    : m_state(std::make_unique<State>())
{
}

Result<std::unique_ptr<ControlServer>> ControlServer::listen(
    const std::filesystem::path& folder, ControlHandlers handlers, std::size_t queueLimit)
{
    Result<std::filesystem::path> socket = controlSocketPath(folder);
    if (!socket)
        return failure(socket);
    Result<FileDescriptor> listener = listenOn(*socket);
    if (!listener)
        return failure(listener);
    FileDescriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!wake.valid())
        return fail(ErrorKind::Io, "cannot open an event descriptor for the control server");
    std::unique_ptr<ControlServer> server(new ControlServer);
    State& state = *server->m_state;
    state.socket = *socket;
    state.handlers = std::move(handlers);
    state.queueLimit = queueLimit;
    state.listener = std::move(*listener);
    state.wake = std::move(wake);
    // Written last: a client that finds the path finds a listening socket.
    if (const Status written
        = writeFileAtomically(folder / kControlPathFile, socket->string() + "\n");
        !written)
        return failure(written);
    state.thread = std::thread([&state] { state.run(); });
    return server;
}

ControlServer::~ControlServer()
{
    if (m_state->thread.joinable()) {
        {
            const std::lock_guard lock(m_state->mutex);
            m_state->stopping = true;
        }
        m_state->wakeUp();
        m_state->thread.join();
    }
    if (!m_state->socket.empty())
        ::unlink(m_state->socket.c_str());
}

void ControlServer::broadcast(ControlEvent event)
{
    if (m_state->subscribers == 0)
        return;
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->inbox.push_back(std::move(event));
    }
    m_state->wakeUp();
}

int ControlServer::subscribers() const
{
    return m_state->subscribers;
}

} // namespace stageloom
