// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_print.h"
#include "app/commands/runs_parts.h"
#include "core/base/text.h"
#include "core/sim/metrics.h"
#include "core/store/metric_store.h"
#include "core/store/trace_store.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>

namespace stageloom {

namespace {

struct ExportOptions {
    std::int64_t id = 0;
    std::vector<std::string> csv, json, chrome; // a file each; empty: stdout
    CLI::Option *csvOption = nullptr, *jsonOption = nullptr, *chromeOption = nullptr;
};

// Empty where it was not measured, as spreadsheets expect.
std::string cell(double value)
{
    return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

Result<std::string> csvText(Database& database, RunId id)
{
    const auto points = MetricStore(database).read(id);
    if (!points)
        return failure(points);
    std::string text = "step,time,tokens,loss,validation_loss,tokens_per_second,grad_norm,learning_"
                       "rate,rss_bytes\n";
    for (const MetricPoint& p : *points)
        text += fmt::format("{},{},{},{},{},{},{},{},{}\n", p.step, cell(p.time), cell(p.tokens),
            cell(p.loss), cell(p.validationLoss), cell(p.tokensPerSecond), cell(p.gradNorm),
            cell(p.learningRate), cell(p.rssBytes));
    return text;
}

Result<std::string> jsonText(Database& database, const RunRow& row)
{
    RunStore store(database);
    const auto points = MetricStore(database).read(row.id);
    if (!points)
        return failure(points);
    const Result<Trace> trace = TraceStore(database).read(row.id);
    if (!trace)
        return failure(trace);
    Json document = rowDocument(row);
    document["plan"] = store.plan(row.id).value_or(Json());
    document["request"] = store.request(row.id).value_or(Json());
    document["environment"] = store.environment(row.id).value_or(Json());
    document["metrics"] = Json::array();
    for (const MetricPoint& p : *points)
        document["metrics"].push_back({ { "step", p.step }, { "time", p.time },
            { "tokens", p.tokens }, { "loss", p.loss }, { "validation_loss", p.validationLoss },
            { "tokens_per_second", p.tokensPerSecond }, { "grad_norm", p.gradNorm },
            { "learning_rate", p.learningRate }, { "rss_bytes", p.rssBytes } });
    document["trace"] = trace->spans.empty() ? Json() : toJson(*trace, measure(*trace));
    return dumpJson(document);
}

Result<std::string> chromeText(Database& database, const RunRow& row)
{
    const Result<Trace> trace = TraceStore(database).read(row.id);
    if (!trace)
        return failure(trace);
    if (trace->spans.empty())
        return fail(ErrorKind::Invalid, "run {} has no recorded spans to export", row.id.value);
    return chromeTrace(*trace, fmt::format("run {} {}", row.id.value, row.name));
}

Status put(const Result<std::string>& text, const std::vector<std::string>& file)
{
    if (!text)
        return failure(text);
    if (!file.empty() && !file.front().empty())
        return writeFileAtomically(file.front(), *text);
    std::fputs(text->c_str(), stdout);
    return {};
}

Status exportRun(const ExportOptions& options, const CommandContext& context)
{
    const bool csv = options.csvOption->count() > 0, json = options.jsonOption->count() > 0;
    const bool chrome = options.chromeOption->count() > 0;
    if (!csv && !json && !chrome)
        return fail(ErrorKind::Invalid,
            "runs export {} does not say what to write: add --csv, --json or "
            "--chrome-trace FILE",
            options.id);
    Result<Database> database = Database::open(context.store);
    if (!database)
        return failure(database);
    const Result<RunRow> row = RunStore(*database).get(RunId { options.id });
    if (!row)
        return failure(row);
    if (csv)
        if (const Status done = put(csvText(*database, row->id), options.csv); !done)
            return done;
    if (json)
        if (const Status done = put(jsonText(*database, *row), options.json); !done)
            return done;
    return chrome ? put(chromeText(*database, *row), options.chrome) : Status {};
}

} // namespace

void addRunsExport(CLI::App& runs, CommandContext& context, CommandBody& chosen)
{
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* command = runs.add_subcommand(
        "export", "Writes a run's curves, its whole record, or its timeline.");
    command->add_option("ID", options->id, "The run's number")->required();
    options->csvOption
        = command->add_option("--csv", options->csv, "The metrics, a line a step; no FILE: stdout")
              ->expected(0, 1)
              ->type_name("[FILE]");
    options->jsonOption
        = command
              ->add_option("--json", options->json, "All that is kept of the run; no FILE: stdout")
              ->expected(0, 1)
              ->type_name("[FILE]");
    options->chromeOption = command
                                ->add_option("--chrome-trace", options->chrome,
                                    "The measured timeline, for chrome://tracing and Perfetto")
                                ->expected(1)
                                ->type_name("FILE");
    command->footer("Examples:\n"
                    "  stageloom runs export 3 --csv\n"
                    "  stageloom runs export 3 --json run3.json\n"
                    "  stageloom runs export 3 --chrome-trace run3.trace.json");
    command->callback([options, &context, &chosen] {
        chosen = [options, &context] { return exportRun(*options, context); };
    });
}

} // namespace stageloom
