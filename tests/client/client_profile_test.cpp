// SPDX-License-Identifier: Apache-2.0
#include "client/fake_engine.h"
#include "core/plan/plan_fixture.h"
#include "engine/client/profile_client.h"

#include <gmock/gmock.h>

namespace stageloom {

namespace {

using testing::HasSubstr;
using ClientProfileTest = FakeEngineTest;

// "profile --plan FILE --output FILE"
constexpr const char* kAnswer
    = R"(echo '{"unit":"ms","layers":[{"name":"a","forward":1,"recompute":1,"backward":2}]}' > "$5")";

} // namespace

TEST_F(ClientProfileTest, hearsProgressAndReadsTheAnswer)
{
    engineDoes(std::string("echo progress 0.25; test -s \"$3\" || exit 7\nsleep 0.3\n") + kAnswer
        + "\necho progress 1.000");
    std::vector<double> heard;
    const auto profile = profileModel(test::smallPlan(), [&](double fraction) {
        heard.push_back(fraction);
        return true;
    });
    ASSERT_TRUE(profile) << profile.error().message;
    ASSERT_EQ(profile->layers.size(), 1u);
    EXPECT_DOUBLE_EQ(profile->layers[0].backward, 0.002);
    EXPECT_THAT(heard, testing::Contains(0.25));
    EXPECT_TRUE(std::filesystem::is_empty(m_folder / "tmp")) << "nothing is left behind";
}

TEST_F(ClientProfileTest, cancellingEndsTheEngine)
{
    const auto pid = m_folder / "pid";
    engineDoes("echo $$ > " + pid.string() + "; echo progress 0.1; sleep 30");
    const auto profile
        = profileModel(test::smallPlan(), [](double fraction) { return fraction < 0.1; });
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.error().kind, ErrorKind::Cancelled);
    pid_t engine = 0;
    std::ifstream(pid) >> engine;
    ASSERT_GT(engine, 0);
    EXPECT_NE(::kill(engine, 0), 0) << "it still runs";
    EXPECT_TRUE(std::filesystem::is_empty(m_folder / "tmp"));
}

TEST_F(ClientProfileTest, theEnginesLastWordsAreTheError)
{
    engineDoes("echo 'stageloom-engine: The model is too large.' >&2; exit 1");
    const auto refused = profileModel(test::smallPlan());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "the model cannot be measured: The model is too large.");
    engineDoes("kill -9 $$");
    const auto killed = profileModel(test::smallPlan());
    ASSERT_FALSE(killed);
    EXPECT_THAT(killed.error().message, HasSubstr("signal 9"));
    engineDoes("exit 0"); // without an answer
    const auto silent = profileModel(test::smallPlan());
    ASSERT_FALSE(silent);
    EXPECT_THAT(silent.error().message, HasSubstr("profile.json"));
}

TEST_F(ClientProfileTest, anEngineThatIsSilentButComputesIsLeftToIt)
{
    // A large layer says nothing for a while, and then all is well.
    engineDoes(std::string("i=0; while [ $i -lt 2000000 ]; do i=$((i+1)); done\n") + kAnswer);
    const auto profile = profileModelWithin(std::chrono::milliseconds(500), test::smallPlan());
    ASSERT_TRUE(profile) << profile.error().message;
    engineDoes("sleep 30");
    const auto hangs = profileModelWithin(std::chrono::milliseconds(500), test::smallPlan());
    ASSERT_FALSE(hangs);
    EXPECT_EQ(hangs.error().kind, ErrorKind::Timeout);
}

TEST_F(ClientProfileTest, aMissingEngineIsNamed)
{
    ::setenv("STAGELOOM_ENGINE", (m_folder / "nothing").c_str(), 1);
    const auto profile = profileModel(test::smallPlan());
    ASSERT_FALSE(profile);
    EXPECT_THAT(profile.error().message, HasSubstr((m_folder / "nothing").string()));
}

} // namespace stageloom
