// SPDX-License-Identifier: Apache-2.0
// The sample, shortened: both schedules train from one seed, and both runs are kept.
#include "tests/e2e/command_runner.h"

#include <cmath>
#include <map>

using namespace stageloom;
using namespace stageloom::test;

TEST(Demo, trainsBothSchedulesFromOneSeedAndKeepsTheRuns)
{
    const TemporaryFolder folder;
    const std::string store = (folder.path() / "runs.sqlite").string();
    std::string lines;
    for (int i = 0; i < 4000; ++i)
        lines += "verse " + std::to_string(i % 41) + " of a song that goes round\n";
    // Hidden and binary files are not trained on and not counted.
    std::filesystem::create_directories(folder.path() / "texts" / "sub");
    static_cast<void>(folder.write("texts/sub/song.txt", lines));
    static_cast<void>(folder.write("texts/.hidden", std::string(50000, 'Z')));
    static_cast<void>(folder.write("texts/blob", std::string(50000, '\0')));
    const std::string text = (folder.path() / "texts").string();
    std::map<char, double> counts;
    for (const char c : lines)
        ++counts[c];
    double entropy = 0;
    for (const auto& [c, count] : counts)
        entropy -= count / double(lines.size()) * std::log(count / double(lines.size()));
    const Finished demo = stageloom::test::stageloom(
        { "--store", store, "demo", "--steps", "8", "--data", text }, 200);
    ASSERT_EQ(demo.exitCode, 0) << demo.err;
    EXPECT_NE(demo.out.find(fmt::format("{:.3f} nats a byte", entropy)), std::string::npos)
        << entropy << " in\n"
        << demo.out;
    for (const char* words : { "Plan ", "steady bubble predicted", "steady bubble measured",
             "validation loss", "below byte entropy" })
        EXPECT_NE(demo.out.find(words), std::string::npos) << words;

    const Finished listed
        = stageloom::test::stageloom({ "--store", store, "runs", "list", "--json" });
    ASSERT_EQ(listed.exitCode, 0) << listed.err;
    std::map<std::string, Json> rows;
    const Json document = parsed(listed.out);
    for (const Json& row : document["runs"])
        rows[row["schedule"]] = row;
    ASSERT_EQ(rows.size(), 2u) << listed.out;
    EXPECT_EQ(rows["2bw"]["steps"], 8);
    EXPECT_EQ(rows["1f1b"]["steps"], 8);
    // The same first batch at the same weights, then another version.
    std::map<std::string, std::vector<double>> losses;
    for (const char* schedule : { "2bw", "1f1b" }) {
        const Finished saved = stageloom::test::stageloom(
            { "--store", store, "runs", "export", rows[schedule]["id"].dump(), "--json" });
        ASSERT_EQ(saved.exitCode, 0) << saved.err;
        const Json run = parsed(saved.out);
        for (const Json& point : run["metrics"])
            if (point["loss"].is_number())
                losses[schedule].push_back(point["loss"]);
        ASSERT_EQ(losses[schedule].size(), 8u);
        EXPECT_LT(losses[schedule].back(), losses[schedule].front()) << schedule;
    }
    EXPECT_EQ(losses["2bw"][0], losses["1f1b"][0]);
    EXPECT_NE(losses["2bw"][1], losses["1f1b"][1]);
}
