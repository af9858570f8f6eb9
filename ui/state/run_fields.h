// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/plan_facts.h"
#include "core/store/run_store.h"
#include <QString>
#include <array>
#include <memory>
#include <vector>

namespace stageloom {

// What the table of runs shows of a run: its columns, what one filters and sorts by, the axes of
// the parallel coordinates.
enum class RunField {
    Number,
    Name,
    State,
    Started,
    Duration,
    Steps,
    Loss,
    Validation,
    Rate,
    Bubble,
    Memory,
    Schedule,
    Model,
    Stages,
    Microbatches,
    Batch,
    LearningRate,
    Tags,
    Notes
};
inline constexpr int kRunFields = static_cast<int>(RunField::Notes) + 1;

// A run with what is derived from its row once: never changes after it was made.
struct RunEntry {
    RunRow row;
    PlanFacts facts;
    double seconds = 0; // it ran, or has run until it was read; NaN: not known
    QString words; // all words of the row, lower case, a line a field
};
using RunEntries = std::shared_ptr<const std::vector<RunEntry>>;

// `now`: seconds since 1970, for runs that go on.
RunEntry makeEntry(RunRow row, PlanFacts facts, double now);

QString stateWord(RunState state); // for people
// "preset:gpt2" and "/models/gpt2/config.json" are both "gpt2".
QString shortModelName(const std::string& source);
QString joinedTags(const std::vector<std::string>& tags); // "a, b"
std::vector<std::string> tagsFromText(const QString& text); // trimmed, without empty or double ones

bool isNumber(RunField field); // right-aligned, compared as numbers
QString titleOf(RunField field); // of its column
QString keyOf(RunField field); // its word in the filter: "loss"
double numberOf(const RunEntry& entry, RunField field); // NaN: not known
QString textOf(const RunEntry& entry, RunField field); // as the table shows it
QString fieldText(double value, RunField field); // a number of that field, with its unit

} // namespace stageloom
