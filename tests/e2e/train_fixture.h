// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/e2e/command_runner.h"

#include "core/base/text.h"

namespace stageloom::test {

// A store, a text and a plan of a tiny model of their own, for one test.
struct TrainBench {
    TemporaryFolder folder;
    std::string store = (folder.path() / "runs.sqlite").string();
    std::string text, plan = (folder.path() / "tiny.plan.json").string();

    TrainBench()
    {
        std::string lines;
        for (int i = 0; i < 4000; ++i)
            lines += "line " + std::to_string(i % 37) + " of a text that repeats itself\n";
        text = folder.write("text.txt", lines);
        const Finished made = run({ "plan", "--model", "preset:demo-gpt", "--topology", "cpu:2",
            "--batch-size", "8", "--seq", "32", "-o", plan });
        EXPECT_EQ(made.exitCode, 0) << made.err;
    }

    [[nodiscard]] Finished run(std::vector<std::string> words, int limit = 120) const
    {
        words.insert(words.begin(), { "--store", store });
        return stageloom(words, limit);
    }

    // A run of a few steps, to its end; returns its id as a word.
    [[nodiscard]] std::string trained(const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> words { "train", plan, "--data", text, "--steps", "6", "--json" };
        words.insert(words.end(), more.begin(), more.end());
        const Finished done = run(words);
        EXPECT_EQ(done.exitCode, 0) << done.err;
        const auto lines = split(trim(done.out), '\n');
        return std::to_string(parsed(std::string(lines.back())).value("run", 0));
    }

    [[nodiscard]] Json row(const std::string& id) const
    {
        return parsed(run({ "runs", "show", id, "--json" }).out);
    }

    // Until the run is in that state; the limit only ends a broken test.
    [[nodiscard]] bool waitForState(const std::string& id, const std::string& state) const
    {
        for (int i = 0; i < 200; ++i) {
            if (row(id)["state"] == state)
                return true;
            runProcess({ "sleep", "0.1" });
        }
        return false;
    }
};

} // namespace stageloom::test
