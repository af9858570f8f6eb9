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

namespace stageloom {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kEngineTimeout { 20 }; // loading LibTorch cold takes seconds
constexpr std::size_t kMostAnswer = 1u << 16; // bytes
constexpr double kLittleDisk = 1e9;

void checkEngine(std::vector<DoctorCheck>& checks)
{
    const Result<fs::path> engine = enginePath();
    checks.push_back({ "engine", engine.has_value(), true,
        engine ? engine->string() + " is there" : engine.error().message,
        engine ? "" : "the presets dev and release build it" });
    if (!engine)
        return;
    const Result<std::string> answer
        = outputOf(*engine, { "--version" }, kEngineTimeout, kMostAnswer);
    const std::string text(
        trim(answer ? split(*answer, '\n').front() : std::string_view(answer.error().message)));
    checks.push_back({ "LibTorch", answer.has_value(), true,
        answer.has_value() ? text : "the engine does not start" + (text.empty() ? "" : ": " + text),
        answer.has_value() ? "" : "run packaging/setup and build again, so that its libraries are found" });
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
