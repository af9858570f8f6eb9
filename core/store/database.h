// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <filesystem>
#include <memory>
#include <string>

namespace SQLite {
class Database;
}

namespace stageloom {

// One connection to the run store: WAL, busy_timeout, foreign keys, migrated to this build's
// schema. Belongs to one thread. A newer file is opened as long as its minimum readable version
// allows.
class Database {
public:
    enum class Mode {
        ReadWrite,
        ReadOnly,
        // For who reads: with writing, which lets runs whose engine is gone be marked, and
        // read-only where the file or its folder cannot be written.
        WriteIfPossible,
    };
    static Result<Database> open(const std::filesystem::path& file, Mode mode = Mode::ReadWrite);
    // $XDG_DATA_HOME/stageloom/runs.sqlite, or below ~/.local/share. Where no home folder is known
    // it is below the working folder, which `guessed` tells.
    static std::filesystem::path defaultFile(bool* guessed = nullptr);

    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;
    ~Database();

    [[nodiscard]] SQLite::Database& raw() const { return *m_db; }
    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    [[nodiscard]] bool writable() const;
    // Made with the store and copied with it; empty in a file of an older schema that was opened
    // read-only.
    [[nodiscard]] const std::string& identity() const { return m_identity; }
    // Brings everything committed into the file itself, so that a copy of the one file is whole.
    // Waits for who reads and writes; what an old reader keeps from it stays in the log beside it.
    Status mergeLog();

private:
    Database(std::unique_ptr<SQLite::Database> db, std::filesystem::path file);
    static Result<Database> openAs(const std::filesystem::path& file, Mode mode, bool unchanging);
    Status makeReady(Mode mode);
    std::unique_ptr<SQLite::Database> m_db;
    std::filesystem::path m_file;
    std::string m_identity;
};

} // namespace stageloom
