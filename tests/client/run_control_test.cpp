// SPDX-License-Identifier: Apache-2.0
#include "client/run_folder_fixture.h"
#include "core/store/run_folder.h"
#include "engine/client/control_socket.h"
#include "engine/client/run_control.h"
#include "engine/control/control_server.h"

#include <fstream>
#include <gmock/gmock.h>
#include <mutex>

namespace stageloom {

namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class RunControlTest : public RunFolderTest {
protected:
    std::unique_ptr<ControlServer> serve()
    {
        ControlHandlers handlers;
        handlers.query = [] { return RunStatus { "evaluating", 8, 9, 1.25, 50, 3, 99 }; };
        handlers.command = [this](ControlCommand command) -> Status {
            const std::lock_guard lock(m_mutex);
            m_asked.emplace_back(toString(command));
            if (command == ControlCommand::Checkpoint)
                return fail(ErrorKind::Unsupported, "checkpoints come later");
            return {};
        };
        return ControlServer::listen(m_folder, handlers).value();
    }
    std::mutex m_mutex;
    std::vector<std::string> m_asked;
};

} // namespace

TEST_F(RunControlTest, everyCallReachesTheEngineAsItsCommand)
{
    const auto server = serve();
    Result<RunControl> control = RunControl::connect(m_folder);
    ASSERT_TRUE(control) << control.error().message;
    EXPECT_TRUE(control->pause());
    EXPECT_TRUE(control->resume());
    EXPECT_TRUE(control->stopAfterBatch());
    EXPECT_TRUE(control->stopNow());
    const Status checkpoint = control->checkpoint();
    ASSERT_FALSE(checkpoint);
    EXPECT_EQ(checkpoint.error().message, "checkpoints come later");
    const Result<RunStatus> status = control->query();
    ASSERT_TRUE(status);
    EXPECT_EQ(status->phase, "evaluating");
    EXPECT_EQ(status->step, 8);
    const std::lock_guard lock(m_mutex);
    EXPECT_THAT(m_asked,
        testing::ElementsAre("pause", "resume", "stop_after_batch", "stop_now", "checkpoint"));
}

TEST_F(RunControlTest, anEngineThatNeverAnswersIsATimeout)
{
    const auto socket = controlSocketPath(m_folder).value();
    const auto listener = listenOn(socket); // takes connections, never reads
    ASSERT_TRUE(listener);
    std::ofstream(m_folder / kControlPathFile) << socket.string();
    Result<RunControl> control = RunControl::connect(m_folder, 50ms);
    ASSERT_TRUE(control);
    const Result<RunStatus> status = control->query();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, ErrorKind::Timeout);
    Result<RunControl> another = RunControl::connect(m_folder, 50ms);
    ASSERT_TRUE(another);
    const Status stop = another->stopAfterBatch();
    ASSERT_FALSE(stop);
    EXPECT_THAT(stop.error().message, HasSubstr("carries it out"))
        << "it lies in the socket of an engine that may go on";
    EXPECT_THAT(control->pause().error().message, HasSubstr("connect again"))
        << "a late answer must not be taken for the next one";
}

TEST_F(RunControlTest, anEngineThatIsGoneIsAnError)
{
    auto server = serve();
    Result<RunControl> control = RunControl::connect(m_folder);
    ASSERT_TRUE(control);
    ASSERT_TRUE(control->query());
    server.reset();
    EXPECT_EQ(control->query().error().kind, ErrorKind::Io);
    EXPECT_FALSE(RunControl::connect(m_folder));
    EXPECT_FALSE(RunControl::connect(m_folder / "nowhere"));
}

} // namespace stageloom
