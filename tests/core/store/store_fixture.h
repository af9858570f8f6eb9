// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/run_store.h"
#include <filesystem>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace stageloom {

// A store of its own for every test, removed afterwards.
class StoreTest : public testing::Test {
protected:
    void SetUp() override
    {
        std::string pattern
            = (std::filesystem::temp_directory_path() / "stageloom-store-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        m_folder = pattern;
        m_file = m_folder / "runs.sqlite";
    }
    void TearDown() override
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
    [[nodiscard]] Database open(Database::Mode mode = Database::Mode::ReadWrite) const
    {
        Result<Database> database = Database::open(m_file, mode);
        if (!database)
            throw std::runtime_error(database.error().message);
        return std::move(*database);
    }
    static RunId newRun(Database& database, const std::string& name = "a run")
    {
        NewRun run;
        run.name = name;
        run.planJson = R"({"schedule":"2bw"})";
        run.requestJson = R"({"steps":5})";
        run.environmentJson = R"({"host":"here"})";
        run.plannedSteps = 5;
        return RunStore(database).create(run).value();
    }
    std::filesystem::path m_folder, m_file;
};

} // namespace stageloom
