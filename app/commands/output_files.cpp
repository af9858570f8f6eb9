// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/output_files.h"

namespace stageloom {

namespace fs = std::filesystem;

namespace {

// By what the paths lead to; by their spelling where one of the files is not there yet.
bool sameFile(const fs::path& one, const fs::path& other)
{
    if (one.empty() || other.empty())
        return false;
    std::error_code error;
    if (fs::exists(one, error) && fs::exists(other, error))
        return fs::is_regular_file(one, error) && fs::equivalent(one, other, error);
    const fs::path first = fs::weakly_canonical(fs::absolute(one, error), error);
    return !error && first == fs::weakly_canonical(fs::absolute(other, error), error) && !error;
}

} // namespace

Status checkOutputs(const std::vector<NamedFile>& outputs, std::vector<NamedFile> inputs,
    const CommandContext& context)
{
    for (const char* log : { "", "-wal", "-shm" }) // SQLite's own files beside a store
        inputs.push_back({ "the run store", context.store.string() + log });
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto& [option, path] = outputs[i];
        if (path == "-")
            return fail(ErrorKind::Invalid,
                "{} is '-'; /dev/stdout prints it, and ./- is a file of that name", option);
        for (const NamedFile& input : inputs)
            if (sameFile(path, input.path))
                return fail(ErrorKind::Invalid, "{} would replace {}, {}; name another file",
                    option, input.what, path.string());
        for (std::size_t j = 0; j < i; ++j)
            if (sameFile(path, outputs[j].path))
                return fail(ErrorKind::Invalid,
                    "{} and {} both name {}; give each a file of its own", outputs[j].what, option,
                    path.string());
    }
    return {};
}

} // namespace stageloom
