// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "app/commands/window_door.h"
#include "core/base/json.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/cluster/topology.h"
#include "core/plan/trainable.h"
#include "core/store/database.h"
#include "engine/client/child_process.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

namespace stageloom {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kEngineTimeout { 20 }; // loading LibTorch cold takes seconds
constexpr std::size_t kMostAnswer = 1u << 20; // bytes
constexpr double kLittleDisk = 0x1p30, kLittleMemory = 0x1p31;

// One thing that doctor looked at. `remedy` is empty where nothing is to be done.
struct Check {
    std::string name;
    bool ok = false;
    bool required = false; // missing: nothing trains
    std::string found;
    std::string remedy;
};

// Asked of the engine itself and not of what was kept of an earlier answer: its libraries may be
// gone since.
Result<EngineCapabilities> askNow(const fs::path& engine)
{
    const Result<std::string> answer
        = outputOf(engine, { "capabilities", "--json" }, kEngineTimeout, kMostAnswer);
    if (!answer)
        return failure(answer);
    const Result<Json> document = parseJson(*answer, engine.string());
    return document ? capabilitiesFromJson(*document, engine.string())
                    : Result<EngineCapabilities>(failure(document));
}

void checkEngine(std::vector<Check>& checks)
{
    const Result<fs::path> engine = enginePath();
    checks.push_back({ "engine", engine.has_value(), true,
        engine ? engine->string() + " is there" : engine.error().message,
        engine ? "" : "the presets dev and release build it" });
    if (!engine)
        return;
    const Result<EngineCapabilities> answer = askNow(*engine);
    checks.push_back({ "LibTorch", answer.has_value(), true,
        answer ? "LibTorch " + answer->libtorch + ", engine " + answer->version
               : "the engine does not start: " + answer.error().message,
        answer ? "" : "run packaging/setup and build again, so that its libraries are found" });
}

void checkStore(const fs::path& store, std::vector<Check>& checks)
{
    const auto database = Database::open(store);
    checks.push_back({ "run store", bool(database), true,
        database ? store.string() + " opens with this build's schema" : database.error().message,
        database ? "" : "choose a writable place with --store FILE" });
    std::error_code error;
    const fs::path folder = fs::absolute(store, error).parent_path();
    const fs::space_info space = error ? fs::space_info {} : fs::space(folder, error);
    const bool enough = !error && double(space.available) >= kLittleDisk;
    checks.push_back({ "disk", enough, false,
        error ? "free space is not known: " + error.message()
              : formatBytes(double(space.available)) + " free beside the run store",
        enough ? "" : "free at least 1 GiB, or choose another --store FILE" });
}

// What a container, a batch job or an affinity mask leaves of the machine.
void checkMachine(std::vector<Check>& checks)
{
    const auto local = readTopology("local");
    const auto workers = local ? std::count_if(local->devices.begin(), local->devices.end(),
                             [](const Device& d) { return d.kind == DeviceKind::CpuWorker; })
                               : 0;
    checks.push_back({ "CPU", workers > 0, true,
        fmt::format("{} core{} for stages, {} hardware thread{} to use", workers,
            workers == 1 ? "" : "s", usableThreads(), usableThreads() == 1 ? "" : "s"),
        workers > 0 ? "" : "hwloc cannot read this machine; try 'stageloom topology show local'" });
#if defined(__x86_64__)
    const bool avx512 = __builtin_cpu_supports("avx512f"), avx2 = __builtin_cpu_supports("avx2");
    checks.push_back({ "vector units", avx2 || avx512, false,
        avx512     ? "AVX-512"
            : avx2 ? "AVX2"
                   : "neither AVX2 nor AVX-512",
        avx2 || avx512 ? "" : "training on this CPU works, but slowly" });
#endif
    const double memory = usableMemory().value_or(0), host = hostMemory().value_or(0);
    checks.push_back({ "memory", memory >= kLittleMemory, false,
        memory < host ? fmt::format(
            "{} (a limit; the machine has {})", formatBytes(memory), formatBytes(host))
                      : formatBytes(memory),
        memory >= kLittleMemory ? "" : "2 GiB or more are needed for models beyond the demo" });
    std::error_code error;
    const bool driver = fs::exists("/proc/driver/nvidia/version", error);
    checks.push_back({ "NVIDIA driver", driver, false, driver ? "found" : "no NVIDIA driver found",
        driver ? "" : "not needed: stages run on CPU workers" });
}

std::vector<Check> lookAtAll(const fs::path& store)
{
    std::vector<Check> checks;
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

// All that is required is there: a failure has no document.
Json toJson(const std::vector<Check>& checks)
{
    Json json { { "ready", true }, { "checks", Json::array() } };
    for (const Check& check : checks)
        json["checks"].push_back({ { "name", check.name }, { "ok", check.ok },
            { "required", check.required }, { "found", check.found },
            { "remedy", check.remedy.empty() ? Json() : Json(check.remedy) } });
    return json;
}

Status examine(const fs::path& store, bool json)
{
    const std::vector<Check> checks = lookAtAll(store);
    std::vector<std::string> missing;
    for (const Check& check : checks)
        if (check.required && !check.ok)
            missing.push_back(fmt::format("{}: {} ({})", check.name, check.found, check.remedy));
    if (!missing.empty())
        return fail(
            ErrorKind::Unsupported, "training does not work here: {}", joined(missing, "; "));
    if (json)
        printText(dumpJson(toJson(checks)));
    else
        for (const Check& check : checks) {
            fmt::print("{} {:<14} {}\n", check.ok ? "✓" : "–", check.name, check.found);
            if (!check.remedy.empty())
                fmt::print("  {:<14} → {}\n", "", check.remedy);
        }
    return {};
}

} // namespace

void addDoctorCommand(CLI::App& parent, CommandContext& context, CommandBody& chosen)
{
    CLI::App* command = parent.add_subcommand(
        "doctor", "Check what training here needs, and say what to do about what is missing.");
    command->footer(
        "Examples:\n  stageloom doctor\n  stageloom doctor --json\n"
        "Where something required is missing: exit code 1 and one message that says what helps.");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print one JSON document");
    command->callback([&chosen, &context, json] {
        chosen = [&context, json] { return examine(context.store, *json); };
    });
}

} // namespace stageloom
