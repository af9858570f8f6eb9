// SPDX-License-Identifier: Apache-2.0
#include "core/base/resources.h"
#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace stageloom {

namespace fs = std::filesystem;

namespace {

// The numbers of a cgroup file, one after another; "max" and anything else ends them.
std::vector<double> numbersOf(const fs::path& file)
{
    std::vector<double> numbers;
    const auto text = readTextFile(file, 4096);
    if (!text)
        return numbers;
    for (const std::string_view word : split(trim(*text), ' ')) {
        double number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (error != std::errc() || end == word.data())
            break;
        numbers.push_back(number);
    }
    return numbers;
}

void lower(std::optional<double>& limit, double value)
{
    limit = std::min(limit.value_or(value), value);
}

// One group's own limits, whichever version's files it has.
void readGroup(const fs::path& group, CgroupLimits& limits)
{
    if (const auto cpu = numbersOf(group / "cpu.max"); cpu.size() == 2 && cpu[1] > 0)
        lower(limits.cores, cpu[0] / cpu[1]);
    const auto quota = numbersOf(group / "cpu.cfs_quota_us");
    const auto period = numbersOf(group / "cpu.cfs_period_us");
    if (!quota.empty() && quota[0] > 0 && !period.empty() && period[0] > 0) // -1: no limit
        lower(limits.cores, quota[0] / period[0]);
    for (const char* name : { "memory.max", "memory.limit_in_bytes" })
        if (const auto bytes = numbersOf(group / name); !bytes.empty() && bytes[0] > 0)
            lower(limits.memoryBytes, bytes[0]);
}

} // namespace

CgroupLimits cgroupLimits(const fs::path& root)
{
    CgroupLimits limits;
    const auto groups = readTextFile(root / "proc/self/cgroup", 1u << 20);
    if (!groups)
        return limits;
    // "0::/a/b" (v2) or "4:cpu,cpuacct:/a/b" (v1, mounted in a folder of its controllers' names).
    for (const std::string_view line : split(*groups, '\n')) {
        const auto parts = split(line, ':');
        if (parts.size() < 3 || !parts[2].starts_with('/'))
            continue;
        const fs::path all = root / "sys/fs/cgroup";
        // Where both versions are mounted, the second lies beside the controllers of the first.
        const auto mounts = parts[1].empty() ? std::vector { all, all / "unified" }
                                             : std::vector { all / parts[1] };
        for (const fs::path& mount : mounts) {
            // A limit of any group above holds, too. Inside a container the path may be the
            // host's, of which only the top is there.
            fs::path group = mount;
            readGroup(group, limits);
            for (const fs::path& name : fs::path(parts[2]).relative_path())
                readGroup(group /= name, limits);
        }
    }
    return limits;
}

// From the kernel's own count: the NUMA nodes, whose sum hwloc gives, may know a part only (memory
// that a virtual machine was given later).
std::optional<double> hostMemory()
{
    const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? std::optional<double>(double(pages) * double(size))
                                 : std::nullopt;
}

std::optional<double> usableMemory()
{
    std::optional<double> usable = hostMemory();
    if (const auto limit = cgroupLimits().memoryBytes; usable && limit)
        usable = std::min(*usable, *limit);
    return usable;
}

std::optional<double> availableMemory()
{
    std::optional<double> available = usableMemory();
    const auto take = [&available](double bytes) {
        available = std::min(available.value_or(bytes), std::max(bytes, 0.0));
    };
    std::ifstream info("/proc/meminfo");
    std::string name, unit; // "MemAvailable:   23456789 kB"
    for (double kibibytes = 0; info >> name >> kibibytes && std::getline(info, unit);)
        if (name == "MemAvailable:")
            take(kibibytes * 1024);
    rlimit limit {};
    std::ifstream size("/proc/self/statm");
    if (double pages = 0;
        ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && size >> pages)
        take(double(limit.rlim_cur) - pages * double(::sysconf(_SC_PAGESIZE)));
    return available;
}

int usableThreads()
{
    int threads = int(std::max(1u, std::thread::hardware_concurrency()));
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        threads = CPU_COUNT(&allowed);
    if (const auto quota = cgroupLimits().cores)
        threads = std::min(threads, int(std::min(*quota, 1e6)));
    return std::max(threads, 1);
}

fs::path programFolder()
{
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path() : program.parent_path();
}

std::optional<fs::path> findResource(const fs::path& relative)
{
    std::vector<fs::path> roots;
    // A variable that is set decides alone: a package under test must not fall back unseen.
    if (const char* chosen = std::getenv("STAGELOOM_RESOURCES"); chosen && *chosen)
        roots = { fs::path(chosen) };
    else
        roots
            = { programFolder() / ".." / "share" / "stageloom", fs::path(STAGELOOM_RESOURCE_DIR) };
    std::error_code error;
    for (const fs::path& root : roots)
        if (fs::exists(root / relative, error))
            return (root / relative).lexically_normal();
    return std::nullopt;
}

std::vector<std::string> resourceNames(const fs::path& folder, const std::string& extension)
{
    std::vector<std::string> names;
    const auto found = findResource(folder);
    std::error_code error;
    if (found)
        for (fs::directory_iterator it(*found, error), end; !error && it != end;
             it.increment(error))
            if (it->path().extension() == extension)
                names.push_back(it->path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace stageloom
