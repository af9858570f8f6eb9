// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "client/run_folder_fixture.h"
#include "core/plan/capabilities_fixture.h"

#include <csignal>
#include <fstream>

namespace stageloom {

// A shell script stands in for the engine program, so that what a client does with each of its ends
// is seen without training anything.
class FakeEngineTest : public RunFolderTest {
protected:
    void SetUp() override
    {
        RunFolderTest::SetUp();
        std::filesystem::create_directories(m_folder / "tmp");
        ::setenv("TMPDIR", (m_folder / "tmp").c_str(), 1);
        ::setenv("XDG_CACHE_HOME", (m_folder / "cache").c_str(), 1);
    }
    void TearDown() override
    {
        ::unsetenv("STAGELOOM_ENGINE");
        ::unsetenv("TMPDIR");
        ::unsetenv("XDG_CACHE_HOME");
        RunFolderTest::TearDown();
    }
    // $1 is the command ("train", "profile"), what follows its options. What it trains it says
    // itself.
    void engineDoes(const std::string& script)
    {
        engineIs("if [ \"$1\" = capabilities ]; then echo '" + toJson(test::someEngine()).dump()
            + "'; exit 0; fi\n" + script);
    }
    void engineIs(const std::string& script)
    {
        const auto file = m_folder / "engine.sh";
        std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        ::setenv("STAGELOOM_ENGINE", file.c_str(), 1);
    }
};

} // namespace stageloom
