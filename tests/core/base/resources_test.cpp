// SPDX-License-Identifier: Apache-2.0
#include "core/base/resources.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

namespace stageloom {
namespace {

namespace fs = std::filesystem;

// The part of a file system that tells a process its cgroups.
class Groups {
public:
    Groups()
        : m_root(fs::temp_directory_path() / ("stageloom-cgroups-" + std::to_string(::getpid())))
    {
        fs::remove_all(m_root);
    }
    ~Groups() { fs::remove_all(m_root); }
    Groups(const Groups&) = delete;
    Groups& operator=(const Groups&) = delete;
    void write(const std::string& name, const std::string& text) const
    {
        fs::create_directories((m_root / name).parent_path());
        std::ofstream(m_root / name) << text;
    }
    [[nodiscard]] CgroupLimits limits() const { return cgroupLimits(m_root); }

private:
    fs::path m_root;
};

TEST(CgroupLimits, theTightestGroupOfVersionTwoHolds)
{
    const Groups groups;
    groups.write("proc/self/cgroup", "0::/slice/unit\n");
    groups.write("sys/fs/cgroup/slice/cpu.max", "150000 100000\n");
    groups.write("sys/fs/cgroup/slice/memory.max", "max\n");
    groups.write("sys/fs/cgroup/slice/unit/cpu.max", "max 100000\n");
    groups.write("sys/fs/cgroup/slice/unit/memory.max", "2000000000\n");
    EXPECT_DOUBLE_EQ(groups.limits().cores.value_or(0), 1.5);
    EXPECT_DOUBLE_EQ(groups.limits().memoryBytes.value_or(0), 2e9);
    groups.write("sys/fs/cgroup/slice/memory.max", "1000000000\n");
    EXPECT_DOUBLE_EQ(groups.limits().memoryBytes.value_or(0), 1e9);
}

TEST(CgroupLimits, versionOneIsReadBelowItsControllers)
{
    const Groups groups;
    groups.write("proc/self/cgroup", "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n0::/\n");
    // In a container the host's path is not there; the limits lie at the top of the mount.
    groups.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "200000\n");
    groups.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    groups.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "3000000000\n");
    EXPECT_DOUBLE_EQ(groups.limits().cores.value_or(0), 2);
    EXPECT_DOUBLE_EQ(groups.limits().memoryBytes.value_or(0), 3e9);
    groups.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    EXPECT_FALSE(groups.limits().cores);
}

TEST(CgroupLimits, noGroupsAreNoLimits)
{
    const Groups groups;
    EXPECT_FALSE(groups.limits().cores);
    groups.write("proc/self/cgroup", "nonsense\n::\n0::relative\n");
    EXPECT_FALSE(groups.limits().cores || groups.limits().memoryBytes);
}

// What the kernel says of this process bounds what is offered.
TEST(UsableThreads, areAtMostTheAffinityMasksAndAtLeastOne)
{
    cpu_set_t all, one;
    ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
    EXPECT_LE(usableThreads(), CPU_COUNT(&all));
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &all) && CPU_COUNT(&one) == 0)
            CPU_SET(cpu, &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(usableThreads(), 1);
    ASSERT_EQ(::sched_setaffinity(0, sizeof all, &all), 0);
    EXPECT_LE(usableMemory().value_or(0), hostMemory().value_or(0));
}

} // namespace
} // namespace stageloom
