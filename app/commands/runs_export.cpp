// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/numbers.h"
#include "app/commands/output_files.h"
#include "app/commands/runs_parts.h"
#include "core/base/files.h"
#include "core/store/run_export.h"

#include <CLI/CLI.hpp>
#include <cstdio>

namespace stageloom {

namespace {

struct ExportOptions {
    std::int64_t id = 0;
    std::vector<std::string> csv, json, chrome; // a file each; empty: stdout
    CLI::Option *csvOption = nullptr, *jsonOption = nullptr, *chromeOption = nullptr;
};

using Writer = Status (*)(Database&, const std::vector<RunId>&, const TextSink&);

Status put(Database& database, const ExportOptions& options, Writer write,
    const std::vector<std::string>& file)
{
    const std::vector<RunId> ids { RunId { options.id } };
    const auto make = [&](const TextSink& sink) { return write(database, ids, sink); };
    return file.empty() || file.front().empty() ? make(printText)
                                                : writeFileAtomically(file.front(), make);
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
    const auto toStdout = [](bool asked, const std::vector<std::string>& file) {
        return asked && (file.empty() || file.front().empty()) ? 1 : 0;
    };
    if (toStdout(csv, options.csv) + toStdout(json, options.json) > 1)
        return fail(ErrorKind::Invalid,
            "runs export {} would print CSV and JSON into one stream: give one of them a FILE",
            options.id);
    const auto fileOf = [](const std::vector<std::string>& file) {
        return file.empty() ? std::string() : file.front();
    };
    if (const Status outputs
        = checkOutputs({ { "--csv", fileOf(options.csv) }, { "--json", fileOf(options.json) },
                           { "--chrome-trace", fileOf(options.chrome) } },
            {}, context);
        !outputs)
        return outputs;
    Result<Database> database = Database::open(context.store, Database::Mode::WriteIfPossible);
    if (!database)
        return failure(database);
    if (csv)
        if (const Status done = put(*database, options, writeMetricsCsv, options.csv); !done)
            return done;
    if (json)
        if (const Status done = put(*database, options, writeRunsJson, options.json); !done)
            return done;
    return chrome ? put(*database, options, writeRunsChromeTrace, options.chrome) : Status {};
}

} // namespace

void addRunsExport(CLI::App& runs, CommandContext& context, CommandBody& chosen)
{
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* command = runs.add_subcommand(
        "export", "Writes a run's curves, its whole record, or its timeline.");
    addNumber(*command, "ID", options->id, "The run's number", { 1 })->type_name("RUN")->required();
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
