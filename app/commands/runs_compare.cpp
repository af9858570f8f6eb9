// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/numbers.h"
#include "app/commands/run_prediction.h"
#include "app/commands/run_print.h"
#include "app/commands/runs_parts.h"
#include "core/base/units.h"
#include "core/plan/document_difference.h"
#include "core/store/run_export.h"

#include <CLI/CLI.hpp>
#include <cstdio>

namespace stageloom {

namespace {

struct CompareOptions {
    std::vector<std::int64_t> ids;
    bool json = false;
};

struct Compared {
    std::vector<RunRow> rows;
    std::vector<RunPrediction> predictions; // a row's each
    std::vector<DocumentDifference> plan, request;
};

Result<Compared> compared(Database& database, const std::vector<std::int64_t>& ids)
{
    RunStore store(database);
    Compared all;
    std::vector<Json> plans, requests;
    for (const std::int64_t id : ids) {
        const Result<RunRow> row = store.get(RunId { id });
        if (!row)
            return failure(row);
        const Result<Json> plan = store.plan(row->id);
        if (!plan)
            return failure(plan);
        Result<Json> request = store.request(row->id);
        if (!request)
            return failure(request);
        if (request->is_object())
            request->erase("plan"); // compared by itself
        all.rows.push_back(*row);
        all.predictions.push_back(
            predictionOf(*row, *plan, store.environment(row->id).value_or(Json())));
        plans.push_back(*plan);
        requests.push_back(*request);
    }
    all.plan = differences(plans);
    all.request = differences(requests);
    return all;
}

Json differencesDocument(const std::vector<DocumentDifference>& found)
{
    Json list = Json::array();
    for (const DocumentDifference& difference : found) {
        Json values = Json::array();
        for (const std::string& value : difference.values)
            values.push_back(
                value == DocumentDifference::kAbsent ? Json() : Json::parse(value, nullptr, false));
        list.push_back({ { "path", difference.path }, { "values", std::move(values) } });
    }
    return list;
}

std::string comparisonText(const Compared& all)
{
    std::vector<std::vector<std::string>> table { { "" } };
    const auto add = [&](const char* label, auto value) {
        std::vector<std::string> cells { label };
        for (const RunRow& row : all.rows)
            cells.push_back(value(row));
        table.push_back(std::move(cells));
    };
    for (const RunRow& row : all.rows)
        table.front().push_back(fmt::format("run {}", row.id.value));
    add("name", [](const RunRow& r) { return r.name; });
    add("state", [](const RunRow& r) { return toString(r.state); });
    add("steps", [](const RunRow& r) { return groupDigits(r.steps); });
    add("final loss", [](const RunRow& r) { return lossText(r.finalLoss); });
    add("validation loss", [](const RunRow& r) { return lossText(r.validationLoss); });
    const auto foresee = [&](const char* label, auto text) {
        std::vector<std::string> cells { label };
        for (const RunPrediction& prediction : all.predictions)
            cells.push_back(text(prediction));
        table.push_back(std::move(cells));
    };
    foresee("step time", [](const RunPrediction& p) { return secondsText(p.stepSeconds); });
    foresee("rate", [](const RunPrediction& p) { return tokenRateText(p.tokensPerSecond); });
    foresee("steady bubble", [](const RunPrediction& p) { return bubbleText(p.bubble); });
    foresee("peak memory", [](const RunPrediction& p) { return memoryText(p.memory); });
    const auto addDifferences = [&](const char* of, const std::vector<DocumentDifference>& found) {
        for (const DocumentDifference& difference : found) {
            std::vector<std::string> cells { of + difference.path };
            cells.insert(cells.end(), difference.values.begin(), difference.values.end());
            table.push_back(std::move(cells));
        }
    };
    addDifferences("plan ", all.plan);
    addDifferences("request ", all.request);
    std::string text = textTable(table);
    if (all.plan.empty())
        text += "the plans are the same\n";
    return text;
}

Status compare(const CompareOptions& options, const CommandContext& context)
{
    if (options.ids.size() < 2)
        return fail(ErrorKind::Invalid,
            "runs compare got one run, {}; name a second one to compare it with",
            options.ids.front());
    Result<Database> database = Database::open(context.store, Database::Mode::WriteIfPossible);
    if (!database)
        return failure(database);
    const Result<Compared> all = compared(*database, options.ids);
    if (!all)
        return failure(all);
    if (!options.json) {
        std::fputs(comparisonText(*all).c_str(), stdout);
        return {};
    }
    Json document { { "runs", Json::array() } };
    for (std::size_t i = 0; i < all->rows.size(); ++i) {
        document["runs"].push_back(rowDocument(all->rows[i]));
        document["runs"].back()["prediction"] = toJson(all->predictions[i]);
    }
    document["plan_differences"] = differencesDocument(all->plan);
    document["request_differences"] = differencesDocument(all->request);
    std::fputs(dumpJson(document).c_str(), stdout);
    return {};
}

} // namespace

void addRunsCompare(CLI::App& runs, CommandContext& context, CommandBody& chosen)
{
    const auto options = std::make_shared<CompareOptions>();
    CLI::App* command = runs.add_subcommand(
        "compare", "Runs side by side: their numbers, and where their plans differ.");
    addNumber(*command, "ID", options->ids, "Two runs or more", { 1 })
        ->type_name("RUN")
        ->required();
    command->add_flag("--json", options->json, "One JSON document");
    command->footer(
        "Examples:\n  stageloom runs compare 3 4\n  stageloom runs compare 3 4 7 --json");
    command->callback([options, &context, &chosen] {
        chosen = [options, &context] { return compare(*options, context); };
    });
}

} // namespace stageloom
