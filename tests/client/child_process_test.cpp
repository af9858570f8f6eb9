// SPDX-License-Identifier: Apache-2.0
#include "client/run_folder_fixture.h"
#include "core/base/files.h"
#include "engine/client/child_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <thread>
#include <unistd.h>

namespace stageloom {

namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class ChildProcessTest : public RunFolderTest {
protected:
    Result<pid_t> shell(const std::string& script)
    {
        return startChild("/bin/sh", { "-c", script }, { m_folder / "log" });
    }
    static ChildExit waitFor(pid_t child)
    {
        for (int i = 0; i < 2000; ++i) {
            if (const auto ended = pollChild(child))
                return *ended;
            std::this_thread::sleep_for(5ms);
        }
        return { false, "it never ended" };
    }
    std::string log() { return readTextFile(m_folder / "log", 1 << 20).value(); }
};

} // namespace

TEST_F(ChildProcessTest, bothOutputsGoIntoTheLog)
{
    const auto child = shell("echo out; echo err >&2; exit 3");
    ASSERT_TRUE(child);
    const ChildExit ended = waitFor(*child);
    EXPECT_FALSE(ended.ok);
    EXPECT_EQ(ended.text, "exit code 3");
    EXPECT_EQ(log(), "out\nerr\n");
}

TEST_F(ChildProcessTest, inheritsNoOpenFileAndHasASessionOfItsOwn)
{
    const int leak = ::open("/dev/null", O_RDONLY); // without O_CLOEXEC, as a library may leave it
    const auto child = shell(
        "ls /proc/self/fd | wc -l; ps -o sid= -p $$ 2>/dev/null || cut -d' ' -f6 /proc/$$/stat");
    ASSERT_TRUE(child);
    EXPECT_TRUE(waitFor(*child).ok);
    ::close(leak);
    const std::string said = log();
    EXPECT_EQ(said.substr(0, said.find('\n')), "4") << "0, 1, 2 and the one that lists: " << said;
    EXPECT_THAT(said.substr(said.find('\n')), HasSubstr(std::to_string(*child)));
}

TEST_F(ChildProcessTest, endsAChildThatIgnoresTheFirstRequest)
{
    const auto child = shell("trap '' TERM; echo ready; while :; do sleep 0.05; done");
    ASSERT_TRUE(child);
    for (int i = 0; i < 1000 && log().empty(); ++i)
        std::this_thread::sleep_for(5ms);
    endChild(*child, 50ms);
    EXPECT_EQ(::kill(*child, 0), -1) << "ended and waited for";
}

TEST_F(ChildProcessTest, theExitOfAChildThatWasLeftIsKnownOnce)
{
    const auto killed = shell("kill -9 $$");
    const auto living = shell("sleep 30");
    ASSERT_TRUE(killed && living);
    leaveChild(*killed);
    leaveChild(*living);
    std::optional<ChildExit> exit;
    for (int i = 0; i < 2000 && !exit; ++i) {
        exit = exitOfLeftChild(*killed);
        std::this_thread::sleep_for(5ms);
    }
    ASSERT_TRUE(exit);
    EXPECT_THAT(exit->text, HasSubstr("signal 9"));
    EXPECT_FALSE(exitOfLeftChild(*killed)) << "told once";
    EXPECT_FALSE(exitOfLeftChild(*living)) << "it goes on";
    EXPECT_FALSE(exitOfLeftChild(::getpid())) << "no child of this process";
    endChild(*living, 50ms);
}

TEST_F(ChildProcessTest, aProgramThatIsNotThereIsOneClearError)
{
    const auto child = startChild(m_folder / "nothing", {}, { m_folder / "log" });
    ASSERT_FALSE(child);
    EXPECT_THAT(child.error().message, HasSubstr("nothing"));
    ::setenv("STAGELOOM_ENGINE", (m_folder / "no-engine").c_str(), 1);
    EXPECT_THAT(enginePath().error().message, HasSubstr("no-engine"));
    ::setenv("STAGELOOM_ENGINE", "/bin/sh", 1);
    EXPECT_EQ(enginePath().value(), "/bin/sh");
    ::unsetenv("STAGELOOM_ENGINE");
}

} // namespace stageloom
