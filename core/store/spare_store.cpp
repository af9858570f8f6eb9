// SPDX-License-Identifier: Apache-2.0
#include "core/store/spare_store.h"
#include "core/store/run_folder.h"
#include "core/store/sql.h"

namespace stageloom {

namespace {

namespace fs = std::filesystem;

// unsaved.sqlite, unsaved-2.sqlite, …: an older one may be the only copy of another run.
fs::path freeName(const fs::path& folder)
{
    const fs::path name(kSpareFile);
    fs::path file = folder / name;
    std::error_code ignored;
    for (int n = 2; fs::exists(file, ignored); ++n)
        file = folder / fmt::format("{}-{}{}", name.stem().string(), n, name.extension().string());
    return file;
}

Status copyInto(const fs::path& file, const Database& from)
{
    return sql::guarded(from, [&]() -> Status {
        SQLite::Statement copy(from.raw(), "VACUUM INTO ?");
        copy.bind(1, file.string());
        copy.exec();
        return {};
    });
}

Status ensureRun(Database& database, const NewRun& run)
{
    RunStore store(database);
    if (store.get(run.id))
        return {};
    const Result<RunId> made = store.create(run);
    return made ? Status {} : Status(failure(made));
}

void removeStore(const fs::path& file)
{
    std::error_code ignored; // what is left is an incomplete copy that nobody is told of
    for (const char* end : { "", "-wal", "-shm", "-journal" })
        fs::remove(file.string() + end, ignored);
}

Result<Database> openIn(const fs::path& folder, const NewRun& run, const Database& from)
{
    std::error_code ignored; // the copy says what is wrong with the folder
    fs::create_directories(folder, ignored);
    const fs::path file = freeName(folder);
    if (!copyInto(file, from))
        removeStore(file); // damaged, or too large for this disk: the run alone then
    Result<Database> database = Database::open(file);
    if (!database)
        removeStore(file);
    if (!database)
        return database;
    if (const Status ready = ensureRun(*database, run); !ready) {
        removeStore(file);
        return failure(ready);
    }
    return database;
}

} // namespace

Result<Database> openSpare(const SparePlace& place, const Database& from)
{
    Result<Database> opened = fail(ErrorKind::Io, "there is no place for a spare run store");
    for (const fs::path& folder : place.folders)
        if (opened = openIn(folder, place.run, from); opened)
            break;
    return opened;
}

} // namespace stageloom
