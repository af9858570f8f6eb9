// SPDX-License-Identifier: Apache-2.0
// Tags, notes and names from the command line.
#include "tests/e2e/command_runner.h"

#include "core/store/run_store.h"

#include <filesystem>

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
    const Finished steered = kept.run({ "stop", "1" });
    expectRefusal(steered, { "run 1 is not running", "finished" });
    EXPECT_EQ(kept.run({ "tag", "1" }).exitCode, 2);
    EXPECT_EQ(kept.row()["name"], "first");
}

TEST(RunLabels, sendNoControlCharactersToATerminal)
{
    const KeptRun kept;
    const std::string wild = "a\x1b[31mred\nline";
    for (const char* word : { "rename", "tag", "note" }) {
        const Finished run = kept.run({ word, "1", wild });
        EXPECT_EQ(run.exitCode, 0) << run.err;
        EXPECT_EQ(run.err.find('\x1b'), std::string::npos) << word;
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    }
    EXPECT_EQ(kept.row()["name"], wild) << "kept as it was given";
    expectRefusal(kept.run({ "rename", "1", "" }), { "stays" });
    expectRefusal(kept.run({ "tag", "1", "other", "--remove" }), { "no tag" });
}

TEST(RunExport, replacesNeitherTheStoreNorItsOwnFiles)
{
    const KeptRun kept;
    const std::string out = (kept.folder.path() / "out").string();
    for (const char* option : { "--csv", "--json", "--chrome-trace" })
        expectRefusal(kept.run({ "export", "1", option, kept.store }), { option, "run store" });
    expectRefusal(
        kept.run({ "export", "1", "--json", kept.store + "-wal" }), { "--json", "run store" });
    expectRefusal(kept.run({ "export", "1", "--csv", out, "--json", out }), { "--csv", "--json" });
    expectRefusal(kept.run({ "export", "1", "--csv", "-" }), { "/dev/stdout" });
    EXPECT_FALSE(std::filesystem::exists(out));
    EXPECT_EQ(kept.row()["name"], "first");
}
