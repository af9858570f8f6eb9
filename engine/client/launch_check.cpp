// SPDX-License-Identifier: Apache-2.0
#include "engine/client/launch_check.h"

#include "engine/client/engine_capabilities.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <thread>
#include <unistd.h>

namespace stageloom {

namespace {

namespace fs = std::filesystem;

Status checkReadable(const fs::path& path)
{
    if (::access(path.c_str(), R_OK) == 0)
        return {};
    return fail(
        ErrorKind::Io, "the text {} cannot be read: {}", path.string(), std::strerror(errno));
}

Status checkFile(const fs::path& path, std::int64_t seq)
{
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (error)
        return fail(
            ErrorKind::Io, "the text {} cannot be read: {}", path.string(), error.message());
    if (size == 0)
        return fail(
            ErrorKind::Invalid, "the text {} is empty; name a file with text in it", path.string());
    if (size < std::uintmax_t(seq) + 1)
        return fail(ErrorKind::Invalid,
            "the text {} has {} bytes, and one sequence of the plan needs {}; name a longer text, "
            "or plan with a shorter --seq",
            path.string(), size, seq + 1);
    return {};
}

// The same files count as when the engine reads them: hidden ones do not.
Status checkFolder(const fs::path& path)
{
    std::error_code error;
    fs::recursive_directory_iterator it(path, error), end;
    while (!error && it != end) {
        std::error_code gone; // a file that vanished meanwhile is none
        if (it->path().filename().string().starts_with('.'))
            it.disable_recursion_pending();
        else if (it->is_regular_file(gone) && it->file_size(gone) > 0)
            return {};
        it.increment(error);
    }
    if (error)
        return fail(
            ErrorKind::Io, "the folder {} cannot be read: {}", path.string(), error.message());
    return fail(ErrorKind::Invalid,
        "the folder {} holds no text file; name a folder with text files, or one file",
        path.string());
}

Status checkText(const std::string& data, std::int64_t seq)
{
    const fs::path path(data);
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
        return fail(ErrorKind::Io, "there is no file or folder {} to train on", data);
    if (error)
        return fail(ErrorKind::Io, "the text {} cannot be read: {}", data, error.message());
    const bool folder = fs::is_directory(status);
    if (!folder && !fs::is_regular_file(status))
        return fail(ErrorKind::Invalid,
            "{} is neither a text file nor a folder of text files, and nothing else can be trained "
            "on",
            data);
    if (const Status readable = checkReadable(path); !readable)
        return readable;
    return folder ? checkFolder(path) : checkFile(path, seq);
}

} // namespace

Status checkLaunch(const TrainRequest& request)
{
    const Result<Model> model = planModel(request.plan);
    if (!model)
        return failure(model);
    const Result<EngineCapabilities> engine = askEngine();
    if (!engine)
        return failure(engine);
    const int cores = int(std::max(1u, std::thread::hardware_concurrency()));
    if (const Status possible = checkRequest(request, *model, *engine, cores); !possible)
        return possible;
    return checkText(request.dataPath, request.plan.seq);
}

} // namespace stageloom
