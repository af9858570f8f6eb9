// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "tests/support/process.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace stageloom::test {

inline Finished stageloom(std::vector<std::string> words, int limitSeconds = 30)
{
    words.insert(words.begin(), STAGELOOM_BIN_DIR "/stageloom");
    return runProcess(words, limitSeconds);
}

inline Json parsed(const std::string& text)
{
    const Result<Json> json = parseJson(text, "stdout");
    EXPECT_TRUE(json) << text;
    return json.value_or(Json());
}

// A refusal: exit code 1, nothing on stdout, one line on stderr that holds every word given.
inline void expectRefusal(const Finished& run, const std::vector<std::string>& words)
{
    EXPECT_EQ(run.exitCode, 1) << run.out << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    for (const std::string& word : words)
        EXPECT_NE(run.err.find(word), std::string::npos) << "no '" << word << "' in: " << run.err;
}

} // namespace stageloom::test
