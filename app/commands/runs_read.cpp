// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/idle_text.h"
#include "app/commands/numbers.h"
#include "app/commands/run_follow.h"
#include "app/commands/run_print.h"
#include "app/commands/runs_parts.h"
#include "core/base/text.h"
#include "core/store/run_export.h"
#include "core/store/run_folder.h"
#include "core/store/trace_store.h"
#include "engine/client/run_control.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

namespace stageloom {

namespace {

struct ReadOptions {
    std::int64_t id = 0;
    std::vector<std::int64_t> ids;
    bool json = false;
};

// Runs whose engine is gone are marked as lost before anybody looks, where the store can be
// written.
Result<Database> openReaped(const CommandContext& context)
{
    Result<Database> database = Database::open(context.store, Database::Mode::WriteIfPossible);
    if (!database)
        return database;
    if (const Result<int> reaped = RunStore(*database).reapLost(); !reaped)
        return failure(reaped);
    return database;
}

// What a run could not put into this store, or into one that was removed; nothing else names it.
void tellRescued(const std::vector<std::filesystem::path>& stores)
{
    for (const std::filesystem::path& store : stores)
        std::fprintf(stderr,
            "notice: a rescued store is kept in %s; look at it with `stageloom --store %s runs "
            "list`\n",
            store.c_str(), store.c_str());
}

constexpr std::chrono::milliseconds kAnswerTimeout { 500 }; // of an engine that may be suspended

// A pause is the engine's alone to know: it is asked. One that does not answer runs, as far as the
// store can tell.
std::string stateNow(const RunRow& row)
{
    if (row.state != RunState::Running || lockState(row.folder) != LockState::Held)
        return toString(row.state);
    Result<RunControl> control = RunControl::connect(row.folder, kAnswerTimeout);
    const Result<RunStatus> status
        = control ? control->query() : Result<RunStatus>(failure(control));
    return status && status->phase == "paused" ? status->phase : toString(row.state);
}

Json documentNow(const RunRow& row)
{
    Json document = rowDocument(row);
    document["state"] = stateNow(row);
    return document;
}

Status list(const ReadOptions& options, const CommandContext& context)
{
    Result<Database> database = openReaped(context);
    if (!database)
        return failure(database);
    const auto rows = RunStore(*database).list();
    if (!rows)
        return failure(rows);
    const std::vector<std::filesystem::path> rescued = rescuedStores(database->file());
    if (options.json) {
        Json document { { "runs", Json::array() }, { "rescued", Json::array() } };
        for (const RunRow& row : *rows)
            document["runs"].push_back(documentNow(row));
        for (const std::filesystem::path& store : rescued)
            document["rescued"].push_back(store.string());
        printText(dumpJson(document));
        return {};
    }
    std::vector<std::vector<std::string>> table { { "ID", "STATE", "NAME", "STARTED", "STEPS",
        "LOSS", "VALIDATION", "RATE", "SCHEDULE", "MODEL", "TAGS" } };
    for (const RunRow& row : *rows)
        table.push_back({ std::to_string(row.id.value), stateNow(row), row.name, row.started,
            fmt::format("{}/{}", row.steps, row.plannedSteps), lossText(row.finalLoss),
            lossText(row.validationLoss), rateText(row.tokensPerSecond), row.schedule, row.model,
            joined(row.tags, ", ") });
    printText(rows->empty() ? "no runs are kept in " + database->file().string() + " yet\n"
                            : textTable(table));
    tellRescued(rescued);
    return {};
}

Status showJson(RunStore& store, const RunRow& row)
{
    Json document = documentNow(row);
    const Json plan = store.plan(row.id).value_or(Json());
    const Json environment = store.environment(row.id).value_or(Json());
    document["prediction"] = toJson(predictionOf(row, plan, environment));
    document["plan"] = plan;
    document["request"] = store.request(row.id).value_or(Json());
    document["environment"] = environment;
    document["log"] = Json::array();
    if (const auto lines = store.log(row.id))
        for (const LogLine& line : *lines)
            document["log"].push_back(
                { { "time", line.time }, { "level", line.level }, { "text", line.text } });
    printText(dumpJson(document));
    return {};
}

Status show(const ReadOptions& options, const CommandContext& context)
{
    Result<Database> database = openReaped(context);
    if (!database)
        return failure(database);
    RunStore store(*database);
    const Result<RunRow> row = store.get(RunId { options.id });
    if (!row)
        return failure(row);
    if (options.json)
        return showJson(store, *row);
    std::string text = finalText(*row, predictionOf(store, *row), stateNow(*row));
    if (const Result<Trace> trace = TraceStore(*database).read(row->id); trace)
        text += idleText(*trace, 2, 18);
    const auto add = [&text](const char* label, const std::string& value) {
        if (!value.empty())
            text += fmt::format("  {:<16}  {}\n", label, oneLine(value));
    };
    add("name", row->name);
    add("model", row->model);
    add("schedule", row->schedule);
    add("plan", row->planHash);
    add("started", row->started);
    add("ended", row->ended);
    add("tags", joined(row->tags, ", "));
    add("notes", row->notes);
    add("failure", row->failure);
    add("folder", row->folder);
    printText(text);
    return {};
}

Status removeRuns(const ReadOptions& options, const CommandContext& context)
{
    Result<Database> database = openReaped(context);
    if (!database)
        return failure(database);
    RunStore store(*database);
    for (const std::int64_t id : options.ids) // all or none where one does not exist
        if (const Result<RunRow> row = store.get(RunId { id }); !row)
            return failure(row);
    for (const std::int64_t id : options.ids) {
        if (const Status removed = store.remove(RunId { id }); !removed)
            return removed;
        if (!options.json)
            std::fprintf(stderr, "run %lld is deleted\n", static_cast<long long>(id));
    }
    std::vector<std::filesystem::path> left = rescuedStores(database->file());
    std::erase_if(left, [&](const std::filesystem::path& file) {
        return std::none_of(options.ids.begin(), options.ids.end(), [&](std::int64_t id) {
            return file.parent_path() == runFolder(database->file(), RunId { id });
        });
    });
    tellRescued(left);
    if (options.json)
        printText(jsonLine(Json { { "deleted", options.ids } }) + "\n");
    return {};
}

} // namespace

void addRunsReading(CLI::App& runs, CommandContext& context, CommandBody& chosen)
{
    const auto options = std::make_shared<ReadOptions>();
    const auto bind
        = [&](CLI::App* command, Status (*body)(const ReadOptions&, const CommandContext&)) {
              command->add_flag("--json", options->json, "One JSON document");
              command->callback([options, &context, &chosen, body] {
                  chosen = [options, &context, body] { return body(*options, context); };
              });
          };
    CLI::App* listing = runs.add_subcommand("list", "All runs, the newest first.");
    listing->footer(
        "Examples:\n  stageloom runs list\n  stageloom runs list --json --store team.sqlite");
    bind(listing, list);
    CLI::App* showing
        = runs.add_subcommand("show", "One run: what it was started with and what came out.");
    addNumber(*showing, "ID", options->id, "The run's number", { 1 })->type_name("RUN")->required();
    showing->footer("Examples:\n  stageloom runs show 3\n  stageloom runs show 3 --json");
    bind(showing, show);
    CLI::App* deleting = runs.add_subcommand(
        "delete", "Removes runs with all they kept; a running one is refused.");
    addNumber(*deleting, "ID", options->ids, "The runs' numbers", { 1 })
        ->type_name("RUN")
        ->required();
    deleting->footer("Example:\n  stageloom runs delete 3");
    bind(deleting, removeRuns);
}

} // namespace stageloom
