// SPDX-License-Identifier: Apache-2.0
// Where a model's config.json comes from: a file, a folder, or a preset of ours.
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/model/model.h"

#include <algorithm>

namespace stageloom {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMostConfigBytes = 16u << 20; // real ones are a few kB
constexpr const char* kPresetPrefix = "preset:";
constexpr const char* kPresetFolder = "presets/models";

// What a file without JSON in it most likely is, as the middle of a sentence; empty: not known.
std::string strangeContent(const std::string& text)
{
    if (text.starts_with("version https://git-lfs"))
        return "is a Git LFS pointer: the file itself was not downloaded (run 'git lfs pull')";
    if (text.starts_with("\x89PNG") || text.starts_with("\xff\xd8\xff") || text.starts_with("GIF8"))
        return "is a picture; a config.json was expected";
    if (text.starts_with("GGUF") || text.find('\0') != std::string::npos)
        return "is a binary file (weights, perhaps); give the config.json that lies beside it";
    return {};
}

Result<Model> readConfig(const fs::path& path, const std::string& name, const ModelOptions& options)
{
    const auto text = readTextFile(path, kMostConfigBytes);
    if (!text)
        return failure(text);
    if (const std::string strange = strangeContent(*text); !strange.empty())
        return fail(ErrorKind::Invalid, "{} {}", path.string(), strange);
    const auto config = parseJson(*text, path.string());
    if (!config)
        return failure(config);
    auto model = modelFromConfig(*config, path.string(), options);
    if (model)
        model->name = name;
    return model;
}

// "…/gpt2/config.json" is "gpt2", "small.config.json" is "small".
std::string nameOf(const fs::path& path)
{
    if (path.filename() == "config.json") {
        std::error_code error;
        const fs::path folder = fs::absolute(path, error).lexically_normal().parent_path();
        return folder.has_filename() ? folder.filename().string() : "config";
    }
    fs::path stem = path.stem();
    return stem.extension() == ".config" ? stem.stem().string() : stem.string();
}

Result<Model> readPreset(const std::string& name, const ModelOptions& options)
{
    const std::vector<std::string> names = modelPresets();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        if (names.empty())
            return fail(ErrorKind::Io,
                "there is no model preset '{}': the folder {} was not found; set "
                "STAGELOOM_RESOURCES to where it is",
                name, kPresetFolder);
        const std::string guess = nearest(name, names);
        return fail(ErrorKind::Invalid, "there is no model preset '{}'{}; presets are {}", name,
            guess.empty() ? "" : ", did you mean '" + guess + "'", joined(names, ", "));
    }
    return readConfig(*findResource(fs::path(kPresetFolder) / (name + ".json")), name, options);
}

} // namespace

std::vector<std::string> modelPresets()
{
    return resourceNames(kPresetFolder, ".json");
}

Result<Model> readModel(const std::string& path, const ModelOptions& options)
{
    if (path.starts_with(kPresetPrefix))
        return readPreset(path.substr(std::string_view(kPresetPrefix).size()), options);
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) {
        const fs::path config = fs::path(path) / "config.json";
        if (!fs::exists(config, error))
            return fail(ErrorKind::Io,
                "the folder {} holds no config.json; give the folder of a Hugging Face model or "
                "its config.json",
                path);
        return readConfig(config, nameOf(config), options);
    }
    if (fs::exists(status))
        return readConfig(path, nameOf(path), options);
    const std::vector<std::string> names = modelPresets();
    if (std::find(names.begin(), names.end(), path) != names.end())
        return readPreset(path, options);
    const std::string guess = nearest(path, names);
    return fail(ErrorKind::Io, "there is no model file or folder {}{}; presets are {}", path,
        guess.empty() ? "" : ", did you mean the preset '" + guess + "'", joined(names, ", "));
}

} // namespace stageloom
