// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/spare_store.h"
#include "core/store/write_queue.h"
#include <optional>
#include <sys/types.h>

namespace stageloom {

// The database that the writing thread fills: the run store, or, once that takes nothing more, a
// spare store. Belongs to that thread.
class WriteTarget {
public:
    static Result<WriteTarget> open(const std::filesystem::path& file);

    // All jobs in one transaction.
    struct Written {
        Status store; // an error: the file takes nothing now, and nothing of the jobs is kept
        Status job; // the first error of a job alone; the others are kept
    };
    Written write(const std::vector<WriteJob>& jobs);
    void setBusyTimeout(int milliseconds);

    // Where rows would go; without one, a run that the store does not know is a job's own failure.
    void setSpare(SparePlace place) { m_spare = std::move(place); }
    [[nodiscard]] bool canMove() const { return m_spare && !m_moved; }
    [[nodiscard]] bool moved() const { return m_moved; }
    Status move(); // to the spare store
    // The file of that name is no longer the one that is open.
    [[nodiscard]] bool gone() const;
    [[nodiscard]] const std::filesystem::path& file() const { return m_database.file(); }

private:
    explicit WriteTarget(Database database);
    [[nodiscard]] bool isTroubleOfTheStore(const Error& error) const;

    struct Identity {
        dev_t device = 0;
        ino_t inode = 0;
        bool operator==(const Identity&) const = default;
    };
    static std::optional<Identity> identityOf(const std::filesystem::path& file);

    Database m_database;
    std::optional<Identity> m_identity;
    std::optional<SparePlace> m_spare;
    bool m_moved = false;
};

} // namespace stageloom
