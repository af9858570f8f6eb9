// SPDX-License-Identifier: Apache-2.0
// Tags, notes and names from the command line.
#include "tests/e2e/command_runner.h"

#include "core/store/run_store.h"

using namespace stageloom;
using namespace stageloom::test;

namespace {

struct KeptRun {
    TemporaryFolder folder;
    std::string store = (folder.path() / "runs.sqlite").string();
    KeptRun()
    {
        auto database = Database::open(store);
        NewRun run;
        run.name = "first";
        run.planJson = run.requestJson = "{}";
        const auto id = RunStore(*database).create(run);
        EXPECT_TRUE(id && RunStore(*database).finish(*id, RunState::Finished, {}));
    }
    [[nodiscard]] Finished run(std::vector<std::string> words) const
    {
        words.insert(words.begin(), { "--store", store, "runs" });
        return stageloom::test::stageloom(words);
    }
    [[nodiscard]] Json row() const { return parsed(run({ "show", "1", "--json" }).out); }
};

} // namespace

TEST(RunLabels, areSetAndTakenAway)
{
    const KeptRun kept;
    ASSERT_EQ(kept.run({ "tag", "1", "baseline" }).exitCode, 0);
    ASSERT_EQ(kept.run({ "tag", "1", "two words" }).exitCode, 0);
    ASSERT_EQ(kept.run({ "tag", "1", "baseline" }).exitCode, 0) << "once is enough";
    EXPECT_EQ(kept.row()["tags"], Json({ "baseline", "two words" }));
    ASSERT_EQ(kept.run({ "tag", "1", "baseline", "--remove" }).exitCode, 0);
    EXPECT_EQ(kept.row()["tags"], Json::array({ "two words" }));

    ASSERT_EQ(kept.run({ "note", "1", "half the rate" }).exitCode, 0);
    EXPECT_EQ(kept.row()["notes"], "half the rate");
    ASSERT_EQ(kept.run({ "note", "1", "" }).exitCode, 0);
    EXPECT_EQ(kept.row()["notes"], "");

    const Finished renamed = kept.run({ "rename", "1", "second", "--json" });
    ASSERT_EQ(renamed.exitCode, 0) << renamed.err;
    EXPECT_EQ(parsed(renamed.out)["name"], "second");
    EXPECT_NE(kept.run({ "list" }).out.find("second"), std::string::npos);
}

TEST(RunLabels, thatMeanNothingAreRefused)
{
    const KeptRun kept;
    expectRefusal(kept.run({ "tag", "1", "" }), { "tag" });
    expectRefusal(kept.run({ "tag", "1", "no such", "--remove" }), { "no such", "none" });
    expectRefusal(kept.run({ "rename", "1", "  " }), { "name", "first" });
    expectRefusal(kept.run({ "note", "7", "text" }), { "no run 7" });
    EXPECT_EQ(kept.run({ "tag", "1" }).exitCode, 2);
    EXPECT_EQ(kept.row()["name"], "first");
}
