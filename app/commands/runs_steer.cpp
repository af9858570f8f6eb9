// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/numbers.h"
#include "app/commands/run_follow.h"
#include "app/commands/runs_parts.h"
#include "engine/client/run_control.h"

#include <CLI/CLI.hpp>
#include <cstdio>

namespace stageloom {

namespace {

struct SteerOptions {
    std::int64_t id = 0;
    bool json = false, now = false;
};

Result<RunControl> controlOf(const SteerOptions& options, const CommandContext& context)
{
    Result<Database> database = Database::open(context.store);
    if (!database)
        return failure(database);
    RunStore store(*database);
    if (const Result<int> reaped = store.reapLost(); !reaped)
        return failure(reaped);
    const Result<RunRow> row = store.get(RunId { options.id });
    if (!row)
        return failure(row);
    if (row->state != RunState::Running)
        return fail(ErrorKind::Invalid, "run {} is not running: it ended as {} at {}",
            row->id.value, toString(row->state), row->ended);
    Result<RunControl> control = RunControl::connect(row->folder);
    if (control)
        return control;
    const auto engine = store.engineWithoutFolder(row->id);
    if (engine && *engine)
        return fail(ErrorKind::Io,
            "the folder of run {} was removed, and its control socket with it; its engine goes on "
            "as "
            "process {}: `kill -TERM {}` ends it after its batch, and its end is saved",
            row->id.value, **engine, **engine);
    return control;
}

using Call = Status (*)(RunControl&, const SteerOptions&);

Status steer(
    const SteerOptions& options, const CommandContext& context, Call call, const char* done)
{
    Result<RunControl> control = controlOf(options, context);
    if (!control)
        return failure(control);
    if (const Status status = call(*control, options); !status)
        return status;
    if (options.json)
        std::fputs(
            (jsonLine(Json { { "run", options.id }, { "ok", true } }) + "\n").c_str(), stdout);
    else
        std::fprintf(stderr, "run %lld %s\n", static_cast<long long>(options.id), done);
    return {};
}

Status attach(const SteerOptions& options, const CommandContext& context)
{
    FollowOptions follow;
    follow.json = options.json;
    follow.fromStart = false;
    follow.interruptStops = false;
    const Result<RunRow> row = followRun(context.store, RunId { options.id }, follow);
    if (!row)
        return failure(row);
    if (row->state == RunState::Running)
        return {}; // Ctrl-C ended the following only
    return printEnd(context.store, *row, options.json);
}

} // namespace

void addRunsSteering(CLI::App& runs, CommandContext& context, CommandBody& chosen)
{
    const auto options = std::make_shared<SteerOptions>();
    const auto add = [&](const char* name, const char* description) {
        CLI::App* command = runs.add_subcommand(name, description);
        addNumber(*command, "ID", options->id, "The run's number", { 1 })
            ->type_name("RUN")
            ->required();
        command->add_flag("--json", options->json, "JSON on stdout");
        command->footer(fmt::format("Example:\n  stageloom runs {} 5", name));
        return command;
    };
    const auto bind = [&](CLI::App* command, Call call, const char* done) {
        command->callback([options, &context, &chosen, call, done] {
            chosen
                = [options, &context, call, done] { return steer(*options, context, call, done); };
        });
    };
    add("attach", "Follows a running run until it ends; Ctrl-C ends the following, not the run.")
        ->callback([options, &context, &chosen] {
            chosen = [options, &context] { return attach(*options, context); };
        });
    bind(
        add("pause", "Holds a run: every stage stops before its next action."),
        [](RunControl& control, const SteerOptions&) { return control.pause(); },
        "pauses before the next action");
    const auto goOn = [](RunControl& control, const SteerOptions&) { return control.resume(); };
    bind(add("continue", "Ends a pause: the run goes on."), goOn, "goes on");
    CLI::App* before = add("resume", "The former name of `runs continue`.");
    before->group(""); // not in the help; `resume` is to train on from a checkpoint
    bind(before, goOn, "goes on (this command is now called `runs continue`)");
    bind(
        add("checkpoint",
            "Asks a run to write a checkpoint (coming: this version's engine writes none)."),
        [](RunControl& control, const SteerOptions&) { return control.checkpoint(); },
        "writes a checkpoint");
    CLI::App* stop = add("stop", "Ends a run after its batch; what it has done is kept.");
    stop->add_flag("--now", options->now, "In the middle of the batch");
    bind(
        stop,
        [](RunControl& control, const SteerOptions& o) {
            return o.now ? control.stopNow() : control.stopAfterBatch();
        },
        "is asked to stop");
}

} // namespace stageloom
