// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <filesystem>
#include <memory>

namespace SQLite {
class Database;
}

namespace stageloom {

// One connection to the run store: WAL, busy_timeout, foreign keys, migrated to this build's
// schema. Belongs to one thread. A newer file is opened as long as its minimum readable version
// allows.
class Database {
public:
    enum class Mode { ReadWrite, ReadOnly };
    static Result<Database> open(const std::filesystem::path& file, Mode mode = Mode::ReadWrite);
    static std::filesystem::path defaultFile(); // $XDG_DATA_HOME/stageloom/runs.sqlite

    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;
    ~Database();

    [[nodiscard]] SQLite::Database& raw() const { return *m_db; }
    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }

private:
    Database(std::unique_ptr<SQLite::Database> db, std::filesystem::path file);
    std::unique_ptr<SQLite::Database> m_db;
    std::filesystem::path m_file;
};

} // namespace stageloom
