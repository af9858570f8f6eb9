// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "app/commands/doctor_checks.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/store/database.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace stageloom {

namespace {

// All that is required is there: a failure has no document.
Json toJson(const std::vector<DoctorCheck>& checks)
{
    Json json { { "ready", true }, { "checks", Json::array() } };
    for (const DoctorCheck& check : checks)
        json["checks"].push_back({ { "name", check.name }, { "ok", check.ok },
            { "required", check.required }, { "found", check.found },
            { "remedy", check.remedy.empty() ? Json() : Json(check.remedy) } });
    return json;
}

Status examine(const std::filesystem::path& store, bool json)
{
    const auto checks = runDoctorChecks(store.empty() ? Database::defaultFile() : store);
    std::vector<std::string> missing;
    for (const DoctorCheck& check : checks)
        if (check.required && !check.ok)
            missing.push_back(fmt::format("{}: {} ({})", check.name, check.found, check.remedy));
    if (!missing.empty())
        return fail(
            ErrorKind::Unsupported, "training does not work here: {}", joined(missing, "; "));
    if (json)
        std::fputs(dumpJson(toJson(checks)).c_str(), stdout);
    else
        for (const DoctorCheck& check : checks) {
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
