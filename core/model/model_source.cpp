// SPDX-License-Identifier: Apache-2.0
// Where a model's config.json comes from: a file, a folder, or a preset of ours.
#include "core/base/files.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/model/model.h"

#include <algorithm>
#include <cstring>

namespace stageloom {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMostConfigBytes = 16u << 20; // real ones are a few kB
constexpr const char* kPresetPrefix = "preset:";
constexpr const char* kPresetFolder = "presets/models";
constexpr const char* kNoNumbers[] = { "-Infinity", "Infinity", "NaN" };

// Python writes NaN and Infinity as bare words, which are no JSON. As texts they let the rest be
// read; `words` gets them.
std::string withWordsQuoted(const std::string& text, std::vector<std::string>& words)
{
    std::string quoted;
    bool inString = false;
    for (std::size_t i = 0; i < text.size();) {
        if (!inString) {
            const auto word = std::find_if(std::begin(kNoNumbers), std::end(kNoNumbers),
                [&](const char* each) { return text.compare(i, std::strlen(each), each) == 0; });
            if (word != std::end(kNoNumbers)) {
                words.emplace_back(*word);
                quoted += '"' + words.back() + '"';
                i += words.back().size();
                continue;
            }
        }
        if (text[i] == '"')
            inString = !inString;
        quoted += text[i];
        if (inString && text[i] == '\\' && i + 1 < text.size())
            quoted += text[++i];
        ++i;
    }
    return quoted;
}

Result<Model> readConfig(const fs::path& path, const std::string& name, const ModelOptions& options)
{
    const auto text = readTextFile(path, kMostConfigBytes);
    if (!text)
        return failure(text);
    const auto config = parseJson(*text, path.string());
    std::vector<std::string> words;
    const auto lenient = config ? config : parseJson(withWordsQuoted(*text, words), path.string());
    if (!lenient || (!config && words.empty()))
        return failure(config);
    auto model = modelFromConfig(*lenient, path.string(), options);
    if (!model && !config) // the word stands where a number is needed
        return fail(ErrorKind::Invalid, "{}; {} is no JSON number: write one, or null",
            config.error().message, words.front());
    if (!model)
        return model;
    model->name = name;
    if (!config)
        model->notes.push_back(
            fmt::format("{} is no JSON number; it is kept as a text, where nothing here is read",
                words.front()));
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
