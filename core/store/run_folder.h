// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stageloom {

// Where a run keeps what is not in the database: `<folder>/<stem of the store>.runs/<id>/`.
std::filesystem::path runFolder(const std::filesystem::path& store, RunId id);

// A store as its run folders know it. A copy has the identity of its original, but another name or
// another folder; what takes the place of a removed store has its name, but another identity.
struct StoreName {
    std::string identity; // empty: of a program that gave none
    std::filesystem::path file;
};

// Makes the folder of a run to be, with the store's name in it. The id is `least` or the first one
// above whose folder is not there yet: what an older store or another program left stays as it is.
Result<RunId> makeRunFolder(const StoreName& store, RunId least);

// The store and the run that a folder was made for; nothing where no store has put its name in it.
struct FolderOwner {
    StoreName store;
    RunId id;
};
std::optional<FolderOwner> ownerOfRunFolder(const std::filesystem::path& folder);

// The folder of a run as this store has it: its own, or the recorded one where no store has put its
// name (programs before named none), or none where that is another store's.
struct FoundFolder {
    std::filesystem::path path; // empty: none
    std::optional<std::filesystem::path> otherStore; // the one that it belongs to
};
FoundFolder findRunFolder(const StoreName& store, RunId id, const std::filesystem::path& recorded);

// Removes runFolder() where it is this store's own, but never a rescued store in it.
void removeRunFolder(const StoreName& store, RunId id);

// Spare stores (spare_store.h) in the run folders beside a store: each may be the only copy of a
// run's end.
std::vector<std::filesystem::path> rescuedStores(const std::filesystem::path& store);
inline constexpr const char* kSpareFile = "unsaved.sqlite";

// The files of a run's folder.
inline constexpr const char* kStoreNameFile = "store"; // two lines: identity, file name
inline constexpr const char* kRequestFile = "request.json"; // the TrainRequest
inline constexpr const char* kLockFile = "lock"; // held by the engine for its lifetime
inline constexpr const char* kEngineLogFile = "engine.log"; // stdout and stderr of the engine
inline constexpr const char* kControlPathFile = "control.path"; // text: where the control socket is

// Says "this run's engine lives". The engine takes it first and drops it last; the kernel drops it
// when the process dies, however it dies.
class RunLock {
public:
    static Result<RunLock> take(const std::filesystem::path& folder);
    RunLock(RunLock&& other) noexcept;
    RunLock& operator=(RunLock&& other) noexcept;
    ~RunLock();

private:
    explicit RunLock(int fd)
        : m_fd(fd)
    {
    }
    int m_fd = -1;
};

enum class LockState { Held, Free, Missing };
LockState lockState(const std::filesystem::path& folder);

// The last lines of the engine's log, trimmed; empty where there is none.
std::string lastWords(const std::filesystem::path& folder, std::size_t lines = 5);

// One sentence for a run whose engine is gone without having ended it: how the process ended, where
// its parent knows ("exit code 3", "signal 9 (Killed) …"), and the last line of its log, where that
// is not of everyday life.
std::string endOfEngine(const std::filesystem::path& folder, const std::string& exit = {});

} // namespace stageloom
