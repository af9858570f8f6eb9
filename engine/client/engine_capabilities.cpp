// SPDX-License-Identifier: Apache-2.0
#include "engine/client/engine_capabilities.h"

#include "core/base/files.h"
#include "engine/client/child_process.h"

#include <algorithm>
#include <cstdlib>
#include <sys/stat.h>

namespace stageloom {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
constexpr auto kAnswerTimeout = 30s; // a cold disk reads LibTorch first
constexpr std::uintmax_t kMostBytes = 1u << 20;

// What tells two builds of one program apart.
Json buildOf(const fs::path& engine)
{
    struct stat file { };
    if (::stat(engine.c_str(), &file) != 0)
        return {};
    return { { "engine", engine.string() }, { "bytes", file.st_size },
        { "changed_s", file.st_mtim.tv_sec }, { "changed_ns", file.st_mtim.tv_nsec } };
}

// Empty where there is no place for it.
fs::path cacheFile(const fs::path& engine)
{
    fs::path folder;
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/')
        folder = cache;
    else if (const char* home = std::getenv("HOME"); home && *home == '/')
        folder = fs::path(home) / ".cache";
    else
        return {};
    const std::size_t name = std::hash<std::string> {}(engine.string());
    return folder / "stageloom" / fmt::format("engine-{:016x}.json", name);
}

Result<EngineCapabilities> kept(const fs::path& file, const Json& build)
{
    if (file.empty())
        return fail(ErrorKind::Io, "there is no cache folder");
    const Result<Json> document = readJsonFile(file, kMostBytes);
    if (!document)
        return failure(document);
    if (!document->is_object() || document->value("build", Json()) != build)
        return fail(ErrorKind::Invalid, "{} is of another build", file.string());
    return capabilitiesFromJson(document->value("capabilities", Json()), file.string());
}

Result<EngineCapabilities> asked(const fs::path& engine)
{
    const Result<std::string> answer
        = outputOf(engine, { "capabilities", "--json" }, kAnswerTimeout, kMostBytes);
    if (!answer)
        return failure(answer);
    const std::string where = engine.string() + " capabilities";
    const Result<Json> document = parseJson(*answer, where);
    if (!document)
        return failure(document);
    return capabilitiesFromJson(*document, where);
}

// Where it cannot be kept, it is asked for again the next time.
void keep(const fs::path& file, const Json& build, const EngineCapabilities& capabilities)
{
    if (file.empty())
        return;
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    static_cast<void>(writeFileAtomically(
        file, dumpJson({ { "build", build }, { "capabilities", toJson(capabilities) } })));
}

PlanFinding noted(PlanFinding finding)
{
    if (finding.severity == PlanFinding::Severity::Error)
        finding.message = "the engine here does not train this: " + finding.message;
    finding.severity = PlanFinding::Severity::Note;
    return finding;
}

template <typename... What>
std::vector<PlanFinding> notesOf(const Result<EngineCapabilities>& engine, const What&... what)
{
    if (!engine)
        return { { PlanFinding::Severity::Note, "",
            "whether this can be trained here is not known: " + engine.error().message } };
    std::vector<PlanFinding> findings = trainable(what..., *engine);
    for (PlanFinding& finding : findings)
        finding = noted(std::move(finding));
    return findings;
}

} // namespace

Result<EngineCapabilities> askEngine()
{
    const Result<fs::path> engine = enginePath();
    if (!engine)
        return failure(engine);
    const Json build = buildOf(*engine);
    const fs::path file = cacheFile(*engine);
    if (Result<EngineCapabilities> known = kept(file, build))
        return known;
    Result<EngineCapabilities> capabilities = asked(*engine);
    if (capabilities)
        keep(file, build, *capabilities);
    return capabilities;
}

std::vector<PlanFinding> trainingNotes(const Plan& plan, const Model& model)
{
    return trainingNotes(plan, model, askEngine());
}

std::vector<PlanFinding> trainingNotes(
    const Plan& plan, const Model& model, const Result<EngineCapabilities>& engine)
{
    std::vector<PlanFinding> notes = notesOf(engine, plan, model);
    const std::vector<PlanFinding> unsound = validatePlan(plan, model);
    std::erase_if(notes, [&unsound](const PlanFinding& note) {
        return std::any_of(unsound.begin(), unsound.end(), [&note](const PlanFinding& finding) {
            return finding.severity == PlanFinding::Severity::Error && finding.path == note.path;
        });
    });
    return notes;
}

std::vector<PlanFinding> trainingNotes(const Model& model)
{
    return notesOf(askEngine(), model);
}

} // namespace stageloom
