// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"

#include "core/base/json.h"
#include "core/schedule/registry.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace stageloom {

namespace {

Status listSchedules(bool json)
{
    if (json) {
        Json rows = Json::array();
        for (const ScheduleInfo& info : scheduleInfos())
            rows.push_back({ { "name", info.name }, { "title", info.title },
                { "summary", info.summary }, { "available", info.available() },
                { "delay_batches",
                    info.delayBatches < 0 ? Json(nullptr) : Json(info.delayBatches) } });
        std::fputs(dumpJson({ { "schedules", rows } }).c_str(), stdout);
        return {};
    }
    for (const bool available : { true, false }) {
        fmt::print("{}\n", available ? "In this version:" : "\nPlanned:");
        for (const ScheduleInfo& info : scheduleInfos())
            if (info.available() == available)
                fmt::print("  {:<16} {:<24} {}\n", info.name, info.title, info.summary);
    }
    return {};
}

} // namespace

void addSchedulesCommand(CLI::App& parent, CommandContext&, CommandBody& chosen)
{
    CLI::App* command
        = parent.add_subcommand("schedules", "List the pipeline schedules and what each costs");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "One JSON document");
    command->footer("Examples:\n  stageloom schedules\n  stageloom schedules --json");
    command->callback([json, &chosen] { chosen = [json] { return listSchedules(*json); }; });
}

} // namespace stageloom
