// SPDX-License-Identifier: Apache-2.0
#include "client/run_folder_fixture.h"
#include "core/store/run_folder.h"
#include "engine/client/control_socket.h"
#include "engine/control/control_server.h"

#include <atomic>
#include <fstream>
#include <poll.h>
#include <sys/socket.h>
#include <thread>

namespace stageloom {

namespace {

using namespace std::chrono_literals;

// Speaks the protocol by hand, independent of RunControl.
class RawClient {
public:
    explicit RawClient(const std::filesystem::path& folder)
    {
        Result<FileDescriptor> fd = connectToRun(folder, 2000ms);
        if (fd)
            m_fd = std::move(*fd);
    }
    [[nodiscard]] bool connected() const { return m_fd.valid(); }
    bool send(const std::string& text) { return sendAll(m_fd.get(), text, 2000ms).has_value(); }
    // The next line; empty where the server closed or five seconds passed.
    std::string line()
    {
        for (;;) {
            if (std::optional<std::string> next = m_lines.next())
                return *next;
            pollfd wait { m_fd.get(), POLLIN, 0 };
            char bytes[65536];
            if (::poll(&wait, 1, 5000) <= 0)
                return {};
            const ssize_t n = ::recv(m_fd.get(), bytes, sizeof bytes, 0);
            if (n <= 0 || !m_lines.feed({ bytes, std::size_t(n) }))
                return {};
        }
    }

private:
    FileDescriptor m_fd;
    LineBuffer m_lines;
};

// Waits for what another thread does; the limit only ends a broken test.
template <typename Condition> bool eventually(Condition condition)
{
    for (int i = 0; i < 1000; ++i) {
        if (condition())
            return true;
        std::this_thread::sleep_for(5ms);
    }
    return false;
}

class ControlServerTest : public RunFolderTest {
protected:
    std::unique_ptr<ControlServer> serve(std::size_t queueLimit = ControlServer::kQueueLimit)
    {
        ControlHandlers handlers;
        handlers.query = [this] { return RunStatus { "running", m_step, 10, 3.5, 100, 2, 1 }; };
        handlers.command = [this](ControlCommand command) -> Status {
            m_last = command;
            if (command == ControlCommand::Checkpoint)
                return fail(ErrorKind::Unsupported, "this engine writes no checkpoints");
            return {};
        };
        auto server = ControlServer::listen(m_folder, handlers, queueLimit);
        EXPECT_TRUE(server) << server.error().message;
        return server ? std::move(*server) : nullptr;
    }
    std::atomic<int> m_step = 4;
    std::atomic<ControlCommand> m_last = ControlCommand::Query;
};

} // namespace

TEST_F(ControlServerTest, answersCommandsInOrder)
{
    const auto server = serve();
    RawClient client(m_folder);
    ASSERT_TRUE(client.send(encodeCommand(ControlCommand::Pause)
        + encodeCommand(ControlCommand::Checkpoint) + encodeCommand(ControlCommand::Query)));
    EXPECT_EQ(client.line(), "{\"ok\":true}");
    EXPECT_EQ(client.line(), "{\"ok\":false,\"error\":\"this engine writes no checkpoints\"}");
    const auto status = replyRunStatus(std::get<Json>(decodeMessage(client.line()).value()));
    ASSERT_TRUE(status);
    EXPECT_EQ(status->step, 4);
    EXPECT_EQ(m_last, ControlCommand::Checkpoint);
}

TEST_F(ControlServerTest, refusesGarbageAndGoesOn)
{
    const auto server = serve();
    RawClient client(m_folder);
    ASSERT_TRUE(client.send("hello\n{\"command\":\"dance\"}\n"));
    EXPECT_NE(client.line().find("\"ok\":false"), std::string::npos);
    EXPECT_NE(client.line().find("dance"), std::string::npos);
    ASSERT_TRUE(client.send(encodeCommand(ControlCommand::Resume)));
    EXPECT_EQ(client.line(), "{\"ok\":true}");
}

TEST_F(ControlServerTest, dropsAClientThatSendsAnEndlessLineAndServesTheNext)
{
    const auto server = serve();
    RawClient flood(m_folder);
    static_cast<void>(flood.send(std::string(1 << 20, 'x')));
    EXPECT_EQ(flood.line(), "");
    RawClient next(m_folder);
    ASSERT_TRUE(next.send(encodeCommand(ControlCommand::Pause)));
    EXPECT_EQ(next.line(), "{\"ok\":true}");
}

TEST_F(ControlServerTest, streamsEventsToSubscribersOnly)
{
    const auto server = serve();
    RawClient listener(m_folder), asker(m_folder);
    ASSERT_TRUE(listener.send(encodeCommand(ControlCommand::Subscribe)));
    EXPECT_EQ(listener.line(), "{\"ok\":true}");
    EXPECT_EQ(server->subscribers(), 1);
    server->broadcast(LogLine { 1, "info", "first" });
    server->broadcast(MetricPoint { 1, 0.5, 2.0, 0, 0, 0, 0, 0, 0 });
    EXPECT_NE(listener.line().find("first"), std::string::npos);
    EXPECT_NE(listener.line().find("metrics"), std::string::npos);
    ASSERT_TRUE(asker.send(encodeCommand(ControlCommand::Pause)));
    EXPECT_EQ(asker.line(), "{\"ok\":true}") << "no event came before the reply";
}

TEST_F(ControlServerTest, sendsWhatIsQueuedBeforeItGoes)
{
    auto server = serve();
    RawClient client(m_folder);
    ASSERT_TRUE(client.send(encodeCommand(ControlCommand::Subscribe)));
    ASSERT_EQ(client.line(), "{\"ok\":true}");
    server->broadcast(EndedEvent { RunState::Stopped, "" });
    server.reset();
    EXPECT_NE(client.line().find("\"stopped\""), std::string::npos);
    EXPECT_EQ(client.line(), "");
    EXPECT_FALSE(RawClient(m_folder).connected());
}

TEST_F(ControlServerTest, dropsASubscriberThatDoesNotRead)
{
    const auto server = serve(256 << 10);
    RawClient slow(m_folder), quick(m_folder);
    for (RawClient* client : { &slow, &quick }) {
        ASSERT_TRUE(client->send(encodeCommand(ControlCommand::Subscribe)));
        ASSERT_EQ(client->line(), "{\"ok\":true}");
    }
    ASSERT_EQ(server->subscribers(), 2);
    const std::string text(64 << 10, 'x');
    for (int i = 0; i < 64; ++i) { // 4 MB: more than the socket and the queue hold
        server->broadcast(LogLine { 0, "info", text });
        ASSERT_NE(quick.line(), "") << "the client that reads is served, message " << i;
    }
    EXPECT_TRUE(eventually([&] { return server->subscribers() == 1; }));
}

TEST_F(ControlServerTest, worksInAFolderWithALongPath)
{
    m_folder /= std::string(150, 'd');
    std::filesystem::create_directories(m_folder);
    const auto server = serve();
    RawClient client(m_folder);
    ASSERT_TRUE(client.send(encodeCommand(ControlCommand::Pause)));
    EXPECT_EQ(client.line(), "{\"ok\":true}");
    m_folder = m_folder.parent_path();
}

TEST_F(ControlServerTest, manyThreadsMayBroadcast)
{
    const auto server = serve();
    RawClient client(m_folder);
    ASSERT_TRUE(client.send(encodeCommand(ControlCommand::Subscribe)));
    ASSERT_EQ(client.line(), "{\"ok\":true}");
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&server] {
            for (int i = 0; i < 50; ++i)
                server->broadcast(LogLine { double(i), "info", "x" });
        });
    int received = 0;
    while (received < 200 && !client.line().empty())
        ++received;
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(received, 200);
}

TEST_F(RunFolderTest, aSocketPathThatIsNoSocketIsOneClearError)
{
    EXPECT_FALSE(connectToRun(m_folder, 100ms));
    std::ofstream(m_folder / kControlPathFile) << (m_folder / "nowhere.sock").string() << "\n";
    const auto refused = connectToRun(m_folder, 100ms);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("nowhere.sock"), std::string::npos);
}

} // namespace stageloom
