// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/doctor_checks.h"
#include "app/commands/window_door.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/cluster/topology.h"
#include "core/store/database.h"
#include "engine/client/child_process.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace stageloom {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kEngineTimeout { 20 }; // loading LibTorch cold takes seconds
constexpr double kLittleDisk = 1e9;

// Output and whether the program ended with 0 in time; it is killed when not.
struct Answer {
    bool ok = false;
    std::string text;
};

// Reads until the end or the deadline; false: the deadline.
bool readUntilEnd(int fd, std::chrono::steady_clock::time_point deadline, std::string& text)
{
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd ready { fd, POLLIN, 0 };
        if (left.count() <= 0 || ::poll(&ready, 1, int(left.count())) == 0)
            return false;
        char buffer[4096];
        const ssize_t n = ::read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return true;
        text.append(buffer, std::size_t(n));
    }
}

Answer versionOf(const fs::path& program)
{
    int ends[2];
    if (::pipe(ends) != 0)
        return {};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    std::string path = program.string(), option = "--version";
    char* arguments[] = { path.data(), option.data(), nullptr };
    pid_t child = 0;
    const int error = ::posix_spawn(&child, path.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    Answer answer;
    if (error == 0) {
        const auto deadline = std::chrono::steady_clock::now() + kEngineTimeout;
        const bool ended = readUntilEnd(ends[0], deadline, answer.text);
        if (!ended)
            ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        answer.ok = ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    ::close(ends[0]);
    return answer;
}

void checkEngine(std::vector<DoctorCheck>& checks)
{
    const Result<fs::path> engine = enginePath();
    checks.push_back({ "engine", engine.has_value(), true,
        engine ? engine->string() + " is there" : engine.error().message,
        engine ? "" : "the presets dev and release build it" });
    if (!engine)
        return;
    const Answer answer = versionOf(*engine);
    const std::string text(trim(split(answer.text, '\n').front()));
    checks.push_back({ "LibTorch", answer.ok, true,
        answer.ok ? text : "the engine does not start" + (text.empty() ? "" : ": " + text),
        answer.ok ? "" : "run packaging/setup and build again, so that its libraries are found" });
}

void checkStore(const fs::path& store, std::vector<DoctorCheck>& checks)
{
    const auto database = Database::open(store);
    checks.push_back({ "run store", bool(database), true,
        database ? store.string() + " opens with this build's schema" : database.error().message,
        database ? "" : "choose a writable place with --store FILE" });
    std::error_code error;
    const fs::space_info space = fs::space(fs::absolute(store).parent_path(), error);
    const bool enough = !error && double(space.available) >= kLittleDisk;
    checks.push_back({ "disk", enough, false,
        error ? "free space is not known: " + error.message()
              : formatBytes(double(space.available)) + " free beside the run store",
        enough ? "" : "free at least 1 GB for checkpoints, or choose another --store FILE" });
}

void checkMachine(std::vector<DoctorCheck>& checks)
{
    const auto local = readTopology("local");
    const auto workers = local ? std::count_if(local->devices.begin(), local->devices.end(),
                             [](const Device& d) { return d.kind == DeviceKind::CpuWorker; })
                               : 0;
    checks.push_back({ "CPU", workers > 0, true, fmt::format("{} physical core(s)", workers),
        workers > 0 ? "" : "hwloc cannot read this machine; try 'stageloom topology show local'" });
#if defined(__x86_64__)
    const bool avx512 = __builtin_cpu_supports("avx512f"), avx2 = __builtin_cpu_supports("avx2");
    checks.push_back({ "vector units", avx2 || avx512, false,
        avx512     ? "AVX-512"
            : avx2 ? "AVX2"
                   : "neither AVX2 nor AVX-512",
        avx2 || avx512 ? "" : "training on this CPU works, but slowly" });
#endif
    const double memory = local ? local->hostMemoryBytes.value_or(0) : 0;
    checks.push_back({ "memory", memory >= 2e9, false, formatBytes(memory),
        memory >= 2e9 ? "" : "2 GB or more are needed for models beyond the demo" });
    std::error_code error;
    const bool driver = fs::exists("/proc/driver/nvidia/version", error);
    checks.push_back({ "NVIDIA driver", driver, false, driver ? "found" : "no NVIDIA driver found",
        driver ? "" : "not needed: stages run on CPU workers" });
}

} // namespace

std::vector<DoctorCheck> runDoctorChecks(const fs::path& store)
{
    std::vector<DoctorCheck> checks;
    checkEngine(checks);
    checkStore(store, checks);
    checkMachine(checks);
    const bool presets = findResource("presets/models").has_value();
    checks.push_back({ "presets", presets, false, presets ? "found" : "not found",
        presets ? "" : "set STAGELOOM_RESOURCES to the folder that holds presets/" });
    const Result<fs::path> window = windowPath();
    checks.push_back({ "window", window.has_value(), false,
        window ? window->string() + " is there" : window.error().message,
        window ? "" : "not needed by the commands" });
    return checks;
}

} // namespace stageloom
