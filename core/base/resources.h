// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stageloom {

// Files that come with the program: looked for in $STAGELOOM_RESOURCES, else in
// <folder of the program>/../share/stageloom, else in the source tree's resources/.
std::optional<std::filesystem::path> findResource(const std::filesystem::path& relative);
// Stems of the files with `extension` in a resource folder, sorted: {"gpt2", "gpt2-xl"}.
std::vector<std::string> resourceNames(
    const std::filesystem::path& folder, const std::string& extension);
// The folder of the running program.
std::filesystem::path programFolder();

} // namespace stageloom
