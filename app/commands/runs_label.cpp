// SPDX-License-Identifier: GPL-3.0-or-later
// What a person says about a run: tags, a note, its name.
#include "app/commands/numbers.h"
#include "app/commands/runs_parts.h"
#include "core/base/text.h"
#include "core/store/run_export.h"

#include <algorithm>
#include <cstdio>

namespace stageloom {

namespace {

constexpr std::size_t kShown = 200; // characters of a run's tags or note in a message

struct LabelOptions {
    std::int64_t id = 0;
    std::string text;
    bool remove = false, json = false;
};

// Takes the row as it is and writes what is new.
using Change = Status (*)(RunStore&, const RunRow&, const LabelOptions&);

Status tag(RunStore& store, const RunRow& row, const LabelOptions& options)
{
    if (options.text.empty())
        return fail(ErrorKind::Invalid, "a tag has at least one character; run {} has {} tags",
            row.id.value, row.tags.size());
    std::vector<std::string> tags = row.tags;
    const auto found = std::find(tags.begin(), tags.end(), options.text);
    if (options.remove && found == tags.end())
        return fail(ErrorKind::Invalid, "run {} has no tag '{}'; its tags: {}", row.id.value,
            shortened(options.text), tags.empty() ? "none" : shortened(joined(tags, ", "), kShown));
    if (options.remove)
        tags.erase(found);
    else if (found == tags.end())
        tags.push_back(options.text);
    return store.setTags(row.id, tags);
}

Status note(RunStore& store, const RunRow& row, const LabelOptions& options)
{
    return store.setNotes(row.id, options.text);
}

Status rename(RunStore& store, const RunRow& row, const LabelOptions& options)
{
    if (trim(options.text).empty())
        return fail(ErrorKind::Invalid,
            "a run's name has at least one character; run {} stays '{}'", row.id.value,
            shortened(row.name));
    return store.setName(row.id, options.text);
}

Status label(const LabelOptions& options, const CommandContext& context, Change change)
{
    Result<Database> database = Database::open(context.store);
    if (!database)
        return failure(database);
    RunStore store(*database);
    const Result<RunRow> before = store.get(RunId { options.id });
    if (!before)
        return failure(before);
    if (const Status changed = change(store, *before, options); !changed)
        return changed;
    const Result<RunRow> after = store.get(before->id);
    if (!after)
        return failure(after);
    if (options.json)
        printText(dumpJson(rowDocument(*after)));
    else
        std::fprintf(stderr, "run %lld is '%s'; tags: %s; note: %s\n",
            static_cast<long long>(options.id), shortened(after->name).c_str(),
            after->tags.empty() ? "none" : shortened(joined(after->tags, ", "), kShown).c_str(),
            after->notes.empty() ? "none" : shortened(after->notes, kShown).c_str());
    return {};
}

} // namespace

void addRunsLabels(CLI::App& runs, CommandContext& context, CommandBody& chosen)
{
    const auto options = std::make_shared<LabelOptions>();
    const auto add = [&](const char* name, const char* what, const char* text, Change change,
                         const char* examples) {
        CLI::App* command = runs.add_subcommand(name, what);
        addNumber(*command, "ID", options->id, "The run's number", { 1 })
            ->type_name("RUN")
            ->required();
        command->add_option("TEXT", options->text, text)->required();
        command->add_flag("--json", options->json, "The run's row as one JSON document");
        command->footer(examples);
        command->callback([options, &context, &chosen, change] {
            chosen = [options, &context, change] { return label(*options, context, change); };
        });
        return command;
    };
    add("tag", "Adds a tag to a run, or takes one away.", "The tag", tag,
        "Examples:\n  stageloom runs tag 3 baseline\n  stageloom runs tag 3 baseline --remove")
        ->add_flag("--remove", options->remove, "Take the tag away");
    add("note", "Sets a run's note.", "The note; an empty one takes it away", note,
        "Examples:\n  stageloom runs note 3 \"half the learning rate\"\n  stageloom runs note 3 "
        "\"\"");
    add("rename", "Gives a run another name.", "The name", rename,
        "Example:\n  stageloom runs rename 3 \"long warm-up\"");
}

} // namespace stageloom
