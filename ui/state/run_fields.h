// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/plan_facts.h"
#include "core/store/run_store.h"
#include <QString>
#include <memory>
#include <optional>
#include <vector>

namespace stageloom {

// What the table of runs shows of a run: its columns, what one filters and sorts by, the axes of
// the parallel coordinates. In the order in which the columns stand at first.
enum class RunField {
    Number,
    Name,
    State,
    Started,
    Duration,
    Steps,
    Schedule,
    Loss,
    Validation,
    ValidationDelta,
    Rate,
    RateDelta,
    Bubble,
    Memory,
    Model,
    Stages,
    Microbatches,
    Batch,
    LearningRate,
    Tags,
    Notes
};
inline constexpr int kRunFields = static_cast<int>(RunField::Notes) + 1;

// How a run differs from the baseline; NaN: not known, or it is the baseline itself.
struct RunDifference {
    double validation = 0; // nats a token
    double rate = 0; // share of the baseline's tokens a second
    std::int64_t step = 0; // at which validations are compared; 0: at the end of both
    bool isBaseline = false;
};

// A run with what is derived from its row once: never changes after it was made.
struct RunEntry {
    RunRow row;
    PlanFacts facts;
    double seconds = 0; // it ran, or has run until it was read; NaN: not known
    QString words; // all words of the row, lower case, a line a field
    std::optional<RunDifference> difference; // none: there is no baseline
};
using RunEntries = std::shared_ptr<const std::vector<RunEntry>>;

// Who gives way first where a screen is narrow. A number, a state or a time is never cut.
enum class Shrinks { Never, Last, First };

// All that the window knows of one column.
struct FieldInfo {
    RunField field;
    const char* key; // its word in the filter and in the settings: "loss"; not translated
    const char* title; // of the column, before translation
    const char* tip; // the same; empty: says only how to filter
    bool number = false; // right-aligned, compared as a number
    Shrinks shrinks = Shrinks::Never;
    bool optional = false; // hidden until a person wants it
    bool axis = false; // of the parallel coordinates
    double (*value)(const RunEntry& entry) = nullptr; // what one sorts by; NaN: not known
    QString (*text)(const RunEntry& entry) = nullptr; // none: valueText of the value
    QString (*valueText)(double value) = nullptr; // with its unit; none: a whole number
    // What the filter looks into; none: the text.
    QString (*sought)(const RunEntry& entry) = nullptr;
    bool writable = false;
};
const FieldInfo& fieldInfo(RunField field);

// `now`: seconds since 1970, for runs that go on.
RunEntry makeEntry(RunRow row, PlanFacts facts, double now);

QString stateWord(RunState state); // for people
// "preset:gpt2" and "/models/gpt2/config.json" are both "gpt2".
QString shortModelName(const std::string& source);
QString joinedTags(const std::vector<std::string>& tags); // "a, b"
std::vector<std::string> tagsFromText(const QString& text); // trimmed, without empty or double ones
QString timeZoneWords(); // "Times are local (UTC+1)"

QString titleOf(RunField field); // of its column
double numberOf(const RunEntry& entry, RunField field); // NaN: not known
QString textOf(const RunEntry& entry, RunField field); // as the table shows it
QString fieldText(double value, RunField field); // a number of that field, with its unit

} // namespace stageloom
