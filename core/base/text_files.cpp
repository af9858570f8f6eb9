// SPDX-License-Identifier: Apache-2.0
#include "core/base/text_files.h"

#include "core/base/file_kind.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

namespace stageloom {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLookedAt = 8192; // bytes at a file's start that decide whether it is text

// The regular files below `folder`, in name order.
Result<std::vector<fs::path>> filesOf(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator it(folder, error), end;
    while (!error && it != end) {
        std::error_code gone; // a file that vanished meanwhile is none
        if (it->path().filename().string().starts_with('.'))
            it.disable_recursion_pending();
        else if (it->is_regular_file(gone))
            files.push_back(it->path());
        it.increment(error);
    }
    if (error)
        return fail(
            ErrorKind::Io, "the folder '{}' cannot be read: {}", folder.string(), error.message());
    std::sort(files.begin(), files.end());
    return files;
}

// What keeps the file from being text, as the second half of a sentence; empty: nothing does.
Result<std::string> notText(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return fail(
            ErrorKind::Io, "the text '{}' cannot be read: {}", path.string(), std::strerror(errno));
    std::string bytes(kLookedAt, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    if (isUtf16(bytes))
        return std::string(
            "is UTF-16 and is left out; `iconv -f UTF-16 -t UTF-8` makes text of it");
    if (bytes.find('\0') != std::string::npos)
        return std::string("looks binary (it has zero bytes) and is left out");
    return std::string();
}

Status add(TextFiles& text, const fs::path& path)
{
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (error)
        return fail(
            ErrorKind::Io, "the text '{}' cannot be read: {}", path.string(), error.message());
    if (size == 0)
        return {};
    const Result<std::string> reason = notText(path);
    if (!reason)
        return failure(reason);
    if (!reason->empty()) {
        text.leftOut.push_back(fmt::format("'{}' {}", path.string(), *reason));
        return {};
    }
    if (size > TextFiles::kMaxBytes - text.bytes)
        return fail(ErrorKind::Invalid,
            "the text is larger than {} bytes (reached at '{}'); give a part of it, it is held in "
            "memory",
            TextFiles::kMaxBytes, path.string());
    text.files.push_back({ path, size });
    text.bytes += size;
    return {};
}

} // namespace

// A folder may hold thousands of files that are no text.
std::vector<std::string> TextFiles::notes() const
{
    constexpr std::size_t kNamed = 5;
    std::vector<std::string> notes(leftOut.begin(),
        leftOut.begin() + static_cast<std::ptrdiff_t>(std::min(leftOut.size(), kNamed)));
    if (leftOut.size() > kNamed)
        notes.push_back(fmt::format(
            "{} more files are left out, as they are no text", leftOut.size() - kNamed));
    return notes;
}

Result<TextFiles> findTextFiles(const std::string& path)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
        return fail(ErrorKind::Io,
            "there is no file or folder '{}' to train on; give a text file or a folder of text "
            "files",
            path);
    if (error)
        return fail(ErrorKind::Io, "the text '{}' cannot be read: {}", path, error.message());
    Result<std::vector<fs::path>> files = std::vector<fs::path> { path };
    if (fs::is_directory(status))
        files = filesOf(path);
    else if (!fs::is_regular_file(status))
        return fail(ErrorKind::Invalid,
            "'{}' is neither a text file nor a folder of text files, and nothing else can be "
            "trained on",
            path);
    if (!files)
        return failure(files);
    TextFiles text;
    for (const fs::path& file : *files)
        if (const Status added = add(text, file); !added)
            return failure(added);
    if (!text.files.empty())
        return text;
    if (text.leftOut.empty() && !fs::is_directory(status))
        return fail(
            ErrorKind::Invalid, "the text '{}' is empty; name a file with text in it", path);
    if (text.leftOut.empty())
        return fail(ErrorKind::Invalid,
            "the folder '{}' holds no text file; name a folder with text files, or one file", path);
    return fail(ErrorKind::Invalid, "'{}' holds no text file: {}{}", path, text.leftOut.front(),
        text.leftOut.size() > 1 ? fmt::format("; and so do {} more", text.leftOut.size() - 1) : "");
}

std::uintmax_t heldOut(std::uintmax_t bytes, double validationFraction)
{
    return static_cast<std::uintmax_t>(static_cast<double>(bytes) * validationFraction);
}

Status checkEnoughText(
    const TextFiles& text, const std::string& path, double validationFraction, std::int64_t seq)
{
    std::uintmax_t held = 0;
    for (const TextFiles::File& file : text.files)
        held += heldOut(file.bytes, validationFraction);
    const auto lacking = [&](const char* part, std::uintmax_t has, double share) -> Status {
        if (has > std::uintmax_t(seq))
            return {};
        // Rounding may leave one byte of every file on the other side.
        const auto needed = std::int64_t(std::ceil(static_cast<double>(seq + 1) / share)) + 1;
        return fail(ErrorKind::Invalid,
            "'{}' has too little text: of its {} bytes {} gets {}, and a sequence of {} needs {}; "
            "give at least {} bytes of text, or plan with a shorter --seq",
            path, text.bytes, part, has, seq, seq + 1, needed);
    };
    if (auto enough = lacking("training", text.bytes - held, 1 - validationFraction); !enough)
        return enough;
    return validationFraction > 0 ? lacking("validation", held, validationFraction) : Status {};
}

} // namespace stageloom
