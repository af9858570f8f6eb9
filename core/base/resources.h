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

// What the cgroups around this process allow, the tightest of them: those of a container, a batch
// job or a systemd unit. nullopt: no limit.
struct CgroupLimits {
    std::optional<double> cores; // CPU time a second; 1.5: one and a half cores
    std::optional<double> memoryBytes;
};
// cgroup v1 and v2, read below `root` (tests give a folder of their own).
CgroupLimits cgroupLimits(const std::filesystem::path& root = "/");
// Bytes of memory of this machine; nullopt where the system does not say.
std::optional<double> hostMemory();
// What programs here may use of it: less where a cgroup limits them.
std::optional<double> usableMemory();
// What this process may still take of it: what is free now, within a limit set on the process
// (ulimit -v).
std::optional<double> availableMemory();
// Hardware threads that programs here may keep busy: the affinity mask's, and not more than the
// whole cores of a cgroup's quota; at least 1.
int usableThreads();

} // namespace stageloom
