// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace stageloom {

// A folder of its own for every test, removed afterwards.
class RunFolderTest : public testing::Test {
protected:
    void SetUp() override
    {
        std::string pattern
            = (std::filesystem::temp_directory_path() / "stageloom-test-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        m_folder = pattern;
    }
    void TearDown() override
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
    std::filesystem::path m_folder;
};

} // namespace stageloom
