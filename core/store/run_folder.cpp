// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_folder.h"
#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace stageloom {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMostNameBytes = 8192;

fs::path runsFolder(const fs::path& store)
{
    return store.parent_path() / (store.stem().string() + ".runs");
}

// As makeRunFolder() wrote it; nothing in a folder that has none.
std::optional<StoreName> ownerOf(const fs::path& folder)
{
    const Result<std::string> text = readTextFile(folder / kStoreNameFile, kMostNameBytes);
    if (!text)
        return std::nullopt;
    const std::vector<std::string_view> lines = split(*text, '\n');
    if (lines.size() < 2)
        return std::nullopt;
    return StoreName { std::string(lines[0]),
        folder.parent_path().parent_path() / fs::path(std::string(lines[1])) };
}

bool owns(const StoreName& store, const fs::path& folder)
{
    const std::optional<StoreName> owner = ownerOf(folder);
    return owner && owner->identity == store.identity
        && owner->file.filename() == store.file.filename();
}

// The number of a run's folder; 0 for what is none.
std::int64_t numberOf(const fs::path& folder)
{
    const std::string name = folder.filename().string();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    return error == std::errc() && end == name.data() + name.size() ? number : 0;
}

bool isSpare(const fs::path& file)
{
    const fs::path spare(kSpareFile);
    return file.extension() == spare.extension()
        && file.filename().string().starts_with(spare.stem().string());
}

std::vector<fs::path> entriesOf(const fs::path& folder)
{
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        entries.push_back(it->path());
    return entries;
}

} // namespace

fs::path runFolder(const fs::path& store, RunId id)
{
    return runsFolder(store) / std::to_string(id.value);
}

std::optional<FolderOwner> ownerOfRunFolder(const fs::path& folder)
{
    std::optional<StoreName> store = ownerOf(folder);
    if (!store)
        return std::nullopt;
    return FolderOwner { std::move(*store), RunId { numberOf(folder) } };
}

Result<RunId> makeRunFolder(const StoreName& store, RunId least)
{
    const fs::path parent = runsFolder(store.file);
    std::error_code error;
    fs::create_directories(parent, error);
    if (error)
        return fail(ErrorKind::Io, "cannot make the folder {} for runs: {}", parent.string(),
            error.message());
    RunId id = least;
    for (const fs::path& entry : entriesOf(parent))
        id.value = std::max(id.value, numberOf(entry) + 1);
    while (::mkdir(runFolder(store.file, id).c_str(), 0777) != 0) { // who makes it, has it
        if (errno != EEXIST)
            return fail(ErrorKind::Io, "cannot make the run's folder {}: {}",
                runFolder(store.file, id).string(), std::strerror(errno));
        ++id.value;
    }
    const Status named = writeFileAtomically(runFolder(store.file, id) / kStoreNameFile,
        store.identity + "\n" + store.file.filename().string() + "\n");
    if (!named)
        return failure(named);
    return id;
}

FoundFolder findRunFolder(const StoreName& store, RunId id, const fs::path& recorded)
{
    if (const fs::path own = runFolder(store.file, id); owns(store, own))
        return { own, std::nullopt };
    if (recorded.empty())
        return {};
    const std::optional<StoreName> owner = ownerOf(recorded);
    std::error_code unknown;
    // A store that was renamed, or has two names, is still the one.
    if (!owner
        || (owner->identity == store.identity
            && (!fs::exists(owner->file, unknown)
                || fs::equivalent(owner->file, store.file, unknown))))
        return { recorded, std::nullopt };
    return { {}, owner->file };
}

void removeRunFolder(const StoreName& store, RunId id)
{
    const fs::path folder = runFolder(store.file, id);
    if (!owns(store, folder))
        return;
    std::error_code ignored; // what is left of the folder harms nobody
    bool rescued = false;
    for (const fs::path& entry : entriesOf(folder))
        rescued = rescued || isSpare(entry);
    if (!rescued) {
        fs::remove_all(folder, ignored);
        return;
    }
    for (const fs::path& entry : entriesOf(folder)) // its log and the like go, its data stays
        if (!entry.filename().string().starts_with(fs::path(kSpareFile).stem().string()))
            fs::remove_all(entry, ignored);
}

std::vector<fs::path> rescuedStores(const fs::path& store)
{
    std::vector<fs::path> found;
    for (const fs::path& runs : { runsFolder(store), store.parent_path() / "runs" })
        for (const fs::path& folder : entriesOf(runs))
            for (const fs::path& entry : entriesOf(folder))
                if (isSpare(entry))
                    found.push_back(entry);
    std::sort(found.begin(), found.end());
    return found;
}

Result<RunLock> RunLock::take(const std::filesystem::path& folder)
{
    const std::string file = (folder / kLockFile).string();
    const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0)
        return fail(ErrorKind::Io, "cannot open the run's lock {}: {}", file, std::strerror(errno));
    // A client that looks whether the lock is free holds it for microseconds: try for a second.
    for (int attempt = 0; attempt < 100; ++attempt) {
        if (::flock(fd, LOCK_EX | LOCK_NB) == 0)
            return RunLock(fd);
        if (errno != EWOULDBLOCK && errno != EINTR)
            break;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    const int reason = errno;
    ::close(fd);
    if (reason == EWOULDBLOCK)
        return fail(
            ErrorKind::Busy, "another engine holds {}; a run has one engine at a time", file);
    return fail(ErrorKind::Io, "cannot lock {}: {}", file, std::strerror(reason));
}

RunLock::RunLock(RunLock&& other) noexcept
    : m_fd(std::exchange(other.m_fd, -1))
{
}

RunLock& RunLock::operator=(RunLock&& other) noexcept
{
    std::swap(m_fd, other.m_fd);
    return *this;
}

RunLock::~RunLock()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

LockState lockState(const std::filesystem::path& folder)
{
    const int fd = ::open((folder / kLockFile).c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return LockState::Missing;
    // Shared, so that two clients that look at once do not see each other.
    const bool free = ::flock(fd, LOCK_SH | LOCK_NB) == 0;
    ::close(fd);
    return free ? LockState::Free : LockState::Held;
}

std::string lastWords(const std::filesystem::path& folder, std::size_t lines)
{
    std::ifstream in(folder / kEngineLogFile, std::ios::binary | std::ios::ate);
    if (!in)
        return {};
    constexpr std::streamoff kTail = 16 * 1024;
    const std::streamoff size = in.tellg();
    const std::streamoff length = std::min(size, kTail);
    std::string text(std::size_t(std::max<std::streamoff>(length, 0)), '\0');
    in.seekg(size - length);
    in.read(text.data(), length);
    text.resize(std::size_t(in.gcount()));
    const std::string_view words = trim(text);
    std::size_t begin = words.size();
    for (std::size_t n = 0; n < lines && begin != std::string_view::npos; ++n)
        begin = begin == 0 ? std::string_view::npos : words.rfind('\n', begin - 1);
    return std::string(begin == std::string_view::npos ? words : words.substr(begin + 1));
}

std::string endOfEngine(const std::filesystem::path& folder, const std::string& exit)
{
    const std::string last = lastWords(folder, 1);
    const bool everyday = last.empty() || last.starts_with("info:") || last.starts_with("notice:");
    std::string text = exit.empty() ? std::string("the engine's process is gone")
                                    : "the engine ended with " + exit;
    if (everyday && exit.empty())
        text += " and left no word: it was killed, by the kernel's memory killer for example";
    if (exit.empty() ? everyday : exit.starts_with("signal 9 "))
        text += " (dmesg tells; smaller microbatches or more stages need less memory)";
    if (!everyday)
        text += "; the last line of its log: " + last;
    return text;
}

} // namespace stageloom
