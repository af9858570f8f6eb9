// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace stageloom {

Result<std::string> readTextFile(const std::filesystem::path& path, std::uintmax_t maxBytes)
{
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        return fail(ErrorKind::Io, "there is no file {}", path.string());
    if (std::filesystem::is_directory(status))
        return fail(ErrorKind::Io, "{} is a folder; a file was expected", path.string());
    if (!std::filesystem::is_regular_file(status))
        return fail(ErrorKind::Io, "{} is not a regular file", path.string());
    const auto size = std::filesystem::file_size(path, error);
    if (!error && size > maxBytes)
        return fail(ErrorKind::Io, "{} holds {}; more than {} is not read here", path.string(),
            formatBytes(double(size)), formatBytes(double(maxBytes)));
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return fail(ErrorKind::Io, "cannot read {}: {}", path.string(), std::strerror(errno));
    std::ostringstream content;
    content << in.rdbuf();
    return std::move(content).str();
}

Status writeFileAtomically(const std::filesystem::path& path, std::string_view content)
{
    const std::string temporary = path.string() + ".part-" + std::to_string(::getpid());
    const auto refuse = [&](const char* what) -> Status {
        const std::string reason = std::strerror(errno);
        ::unlink(temporary.c_str());
        return fail(ErrorKind::Io, "cannot {} {}: {}", what, path.string(), reason);
    };
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return refuse("write");
    std::size_t done = 0;
    while (done < content.size()) {
        const ssize_t n = ::write(fd, content.data() + done, content.size() - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            ::close(fd);
            return refuse("write");
        }
        done += std::size_t(n);
    }
    const bool synced = ::fsync(fd) == 0;
    if (::close(fd) != 0 || !synced)
        return refuse("write");
    if (::rename(temporary.c_str(), path.c_str()) != 0)
        return refuse("replace");
    return {};
}

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t at = text.find(separator); at != std::string_view::npos;
         at = text.find(separator, begin)) {
        parts.push_back(text.substr(begin, at - begin));
        begin = at + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

std::string_view trim(std::string_view text)
{
    constexpr std::string_view kBlank = " \t\r\n\v\f";
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates)
{
    std::string best;
    // Farther words are no help, nor is one that shares no letter with a short word.
    std::size_t bestDistance = std::min<std::size_t>(4, word.size());
    for (const std::string& candidate : candidates) {
        std::vector<std::size_t> row(candidate.size() + 1);
        for (std::size_t j = 0; j < row.size(); ++j)
            row[j] = j;
        for (std::size_t i = 1; i <= word.size(); ++i) {
            std::size_t diagonal = row[0]++;
            for (std::size_t j = 1; j <= candidate.size(); ++j) {
                const std::size_t substituted
                    = diagonal + (word[i - 1] == candidate[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = std::min({ row[j] + 1, row[j - 1] + 1, substituted });
            }
        }
        if (row.back() < bestDistance) {
            bestDistance = row.back();
            best = candidate;
        }
    }
    return best;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator)
{
    return fmt::format("{}", fmt::join(words, separator));
}

} // namespace stageloom
