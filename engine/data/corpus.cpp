// SPDX-License-Identifier: Apache-2.0
#include "engine/data/corpus.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace stageloom::engine {

namespace {

constexpr std::uintmax_t kMaxBytes = 2'000'000'000;
constexpr std::size_t kLookedAt = 8192; // bytes at a file's start that decide whether it is text

bool hidden(const fs::path& path)
{
    return path.filename().string().starts_with('.');
}

// The regular files below `folder`, in name order.
Result<std::vector<fs::path>> filesOf(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator it(folder, error), end;
    while (!error && it != end) {
        std::error_code gone; // a file that vanished meanwhile is none
        if (hidden(it->path()))
            it.disable_recursion_pending();
        else if (it->is_regular_file(gone))
            files.push_back(it->path());
        it.increment(error);
    }
    if (error)
        return fail(
            ErrorKind::Io, "Cannot list the folder '{}': {}.", folder.string(), error.message());
    std::sort(files.begin(), files.end());
    return files;
}

Result<std::vector<std::uint8_t>> bytesOf(const fs::path& path, std::uintmax_t room)
{
    std::error_code error;
    const auto size = fs::file_size(path, error);
    if (error)
        return fail(ErrorKind::Io, "Cannot read '{}': {}.", path.string(), error.message());
    if (size > room)
        return fail(ErrorKind::Invalid,
            "The text is larger than {} bytes (reached at '{}'); give a part of it, it is held in "
            "memory.",
            kMaxBytes, path.string());
    std::vector<std::uint8_t> bytes(size);
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    if (!file || file.gcount() != static_cast<std::streamsize>(size))
        return fail(ErrorKind::Io, "Cannot read all {} bytes of '{}'.", size, path.string());
    return bytes;
}

bool looksBinary(const std::vector<std::uint8_t>& bytes)
{
    const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), kLookedAt));
    return std::find(bytes.begin(), end, std::uint8_t { 0 }) != end;
}

void append(Corpus& corpus, const std::vector<std::uint8_t>& bytes, double validationFraction)
{
    const auto held
        = static_cast<std::ptrdiff_t>(static_cast<double>(bytes.size()) * validationFraction);
    corpus.train.insert(corpus.train.end(), bytes.begin(), bytes.end() - held);
    corpus.validation.insert(corpus.validation.end(), bytes.end() - held, bytes.end());
}

Status checkEnough(const Corpus& corpus, const std::string& path, double fraction, std::int64_t seq)
{
    const auto short_ = [&](const char* part, std::size_t has, double share) -> Status {
        if (std::int64_t(has) > seq)
            return {};
        // Rounding may leave one byte of every file on the other side.
        const auto needed = std::int64_t(std::ceil(static_cast<double>(seq + 1) / share)) + 1;
        return fail(ErrorKind::Invalid,
            "'{}' has too little text: {} gets {} bytes and a sequence of {} needs {}; give at "
            "least {} bytes "
            "of text, or use a shorter sequence{}.",
            path, part, has, seq, seq + 1, needed,
            fraction > 0 ? " or another validation fraction" : "");
    };
    if (auto status = short_("training", corpus.train.size(), 1 - fraction); !status)
        return status;
    return fraction > 0 ? short_("validation", corpus.validation.size(), fraction) : Status {};
}

std::array<std::int64_t, 256> countsOf(const Corpus& corpus)
{
    std::array<std::int64_t, 256> counts {};
    for (const auto* text : { &corpus.train, &corpus.validation })
        for (const auto byte : *text)
            ++counts[byte];
    return counts;
}

} // namespace

double Corpus::unigramEntropy() const
{
    const auto total = static_cast<double>(train.size() + validation.size());
    double entropy = 0;
    for (const auto count : countsOf(*this))
        if (count > 0) {
            const double p = static_cast<double>(count) / total;
            entropy -= p * std::log(p);
        }
    return entropy;
}

Result<Corpus> readCorpus(const std::string& path, double validationFraction, std::int64_t seq)
{
    if (!(validationFraction >= 0 && validationFraction < 1))
        return fail(ErrorKind::Invalid, "The validation fraction {} is not in 0 … 1 (1 excluded).",
            validationFraction);
    if (seq < 1)
        return fail(ErrorKind::Invalid, "The sequence length {} is below 1.", seq);
    std::error_code error;
    const auto status = fs::status(path, error);
    if (!fs::exists(status))
        return fail(ErrorKind::Io,
            "There is no text at '{}'; give a text file or a folder of text files.", path);
    Result<std::vector<fs::path>> files = std::vector<fs::path> { path };
    if (fs::is_directory(status))
        files = filesOf(path);
    else if (!fs::is_regular_file(status))
        return fail(ErrorKind::Invalid, "'{}' is neither a text file nor a folder.", path);
    if (!files)
        return failure(files);
    Corpus corpus;
    std::uintmax_t total = 0;
    for (const auto& file : *files) {
        auto bytes = bytesOf(file, kMaxBytes - total);
        if (!bytes)
            return failure(bytes);
        if (looksBinary(*bytes)) {
            corpus.notes.push_back(fmt::format(
                "'{}' looks binary (it has zero bytes) and is left out.", file.string()));
            continue;
        }
        total += bytes->size();
        append(corpus, *bytes, validationFraction);
        corpus.files.push_back(file.string());
    }
    if (corpus.files.empty())
        return fail(ErrorKind::Invalid, "'{}' holds no text file{}.", path,
            corpus.notes.empty() ? "" : "; what is there looks binary (it has zero bytes)");
    if (auto enough = checkEnough(corpus, path, validationFraction, seq); !enough)
        return failure(enough);
    return corpus;
}

Status checkVocabulary(const Corpus& corpus, std::int64_t vocabulary)
{
    const auto counts = countsOf(corpus);
    for (std::int64_t byte = 255; byte >= vocabulary; --byte)
        if (byte < 0 || counts[static_cast<std::size_t>(byte)] > 0)
            return fail(ErrorKind::Invalid,
                "The text contains byte {} and the model's vocabulary has {} entries; a byte-level "
                "text needs a "
                "vocab_size of 256.",
                byte, vocabulary);
    return {};
}

} // namespace stageloom::engine
