// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/plan/prediction.h"
#include "core/schedule/text_format.h"
#include "core/schedule/transfers.h"
#include "core/schedule/verify.h"
#include "engine/client/engine_capabilities.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>

namespace stageloom {

namespace {

struct VerifyArguments {
    std::string file;
    bool json = false;
};

// A file that starts like a JSON object is a plan; anything else is read as schedule rows. `notes`:
// what the engine here would not train of a plan.
Result<Schedule> readSchedule(const std::string& file, std::vector<std::string>& notes)
{
    const Result<std::string> text = readTextFile(file, 64u << 20);
    if (!text)
        return failure(text);
    if (!trim(*text).starts_with('{') && !file.ends_with(".json"))
        return scheduleFromCsv(*text, file);
    const Result<Plan> plan = readPlan(file);
    if (!plan)
        return failure(plan);
    for (const PlanFinding& finding : validatePlan(*plan))
        if (finding.severity == PlanFinding::Severity::Error)
            return fail(ErrorKind::Infeasible, "{}: {}: {}", file, finding.path, finding.message);
    Result<Prediction> prediction = predict(*plan);
    if (!prediction)
        return failure(prediction);
    for (const PlanFinding& note : trainingNotes(*plan, prediction->model))
        notes.push_back(note.message);
    return std::move(prediction->schedule);
}

Json toJson(const Schedule& schedule, const ScheduleProof& proof, std::optional<int> slots,
    const std::vector<std::string>& notes)
{
    Json findings = Json::array();
    for (const ScheduleFinding& finding : proof.findings)
        findings.push_back({ { "rule", finding.rule }, { "message", finding.message },
            { "worker", finding.worker }, { "position", finding.position } });
    return { { "schedule", schedule.name }, { "proven", proof.ok() },
        { "workers", schedule.depth() }, { "stages", schedule.stages },
        { "microbatches", schedule.microbatches }, { "actions", schedule.actionCount() },
        { "peak_stash", proof.peakStash }, { "peak_versions", proof.peakVersions },
        { "transfer_slots", slots ? Json(*slots) : Json(nullptr) }, { "findings", findings },
        { "notes", notes } };
}

Status runVerify(const VerifyArguments& arguments)
{
    std::vector<std::string> notes;
    const Result<Schedule> schedule = readSchedule(arguments.file, notes);
    if (!schedule)
        return failure(schedule);
    const ScheduleProof proof = verifySchedule(*schedule);
    if (!proof.ok()) {
        const ScheduleFinding& first = proof.findings.front();
        const std::size_t further = proof.findings.size() - 1 + proof.furtherFindings;
        return fail(ErrorKind::Invalid, "{} is not proven: {} ({}){}", arguments.file,
            first.message, first.rule,
            further > 0 ? fmt::format("; and {} findings more", further) : "");
    }
    // Of a list that says its transfers.
    const std::optional<int> slots
        = hasTransfers(*schedule) ? std::optional(smallestSlots(*schedule)) : std::nullopt;
    if (arguments.json) {
        std::fputs(dumpJson(toJson(*schedule, proof, slots, notes)).c_str(), stdout);
        return {};
    }
    fmt::print(
        "proven for any timing: {} actions of {} stages on {} workers, {} microbatches a batch\n",
        schedule->actionCount(), schedule->stages, schedule->depth(), schedule->microbatches);
    for (std::size_t s = 0; s < proof.peakStash.size(); ++s)
        fmt::print("stage {:>2}: at most {} microbatch{} in flight{}\n", s, proof.peakStash[s],
            proof.peakStash[s] == 1 ? "" : "es",
            proof.peakVersions[s] > 0 ? fmt::format(", {} weight version{}", proof.peakVersions[s],
                proof.peakVersions[s] == 1 ? "" : "s")
                                      : "");
    if (slots)
        fmt::print("transfers run with {} between neighbours{}\n",
            *slots == 0 ? std::string("no buffer")
                        : fmt::format("{} buffer{} a direction", *slots, *slots == 1 ? "" : "s"),
            *slots == 0 ? ", each meeting its partner" : "");
    for (const std::string& note : notes)
        fmt::print("note: {}\n", note);
    return {};
}

} // namespace

void addVerifyCommand(CLI::App& parent, CommandContext&, CommandBody& chosen)
{
    CLI::App* command = parent.add_subcommand(
        "verify", "Prove a plan's schedule, or a CSV of actions, for any timing.");
    auto arguments = std::make_shared<VerifyArguments>();
    command
        ->add_option("file", arguments->file, "Plan, or schedule CSV (a row a worker: 0F0,0F1,0B0)")
        ->type_name("PLAN")
        ->required();
    command->add_flag("--json", arguments->json, "One JSON document");
    command->footer("Checks that every microbatch runs once forward and backward on each stage, "
                    "that nothing deadlocks, that transfers\n"
                    "match, and that weight versions follow the schedule's rule.\n\nExamples:\n"
                    "  stageloom verify gpt2.plan.json\n  stageloom verify schedule.csv --json");
    command->callback(
        [arguments, &chosen] { chosen = [arguments] { return runVerify(*arguments); }; });
}

} // namespace stageloom
