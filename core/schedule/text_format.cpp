// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/text_format.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>

namespace stageloom {

namespace {

// Stages × microbatches of a file; a mistyped number must not allocate the machine away.
constexpr std::int64_t kMostCells = 10'000'000;

struct Word {
    std::string_view text;
    ActionKind kind;
    bool gradient;
};

// Longer words first: "B" would match the start of "BW".
constexpr Word kWords[] = {
    { "ALLREDUCE", ActionKind::AllReduce, false },
    { "SEND_F", ActionKind::Send, false },
    { "SEND_B", ActionKind::Send, true },
    { "RECV_F", ActionKind::Recv, false },
    { "RECV_B", ActionKind::Recv, true },
    { "BW", ActionKind::Backward, false }, // PyTorch's word for the two halves joined
    { "F", ActionKind::Forward, false },
    { "B", ActionKind::Backward, false },
    { "I", ActionKind::BackwardInput, false },
    { "W", ActionKind::BackwardWeight, false },
    { "R", ActionKind::Recompute, false },
    { "U", ActionKind::Update, false },
};

bool takeNumber(std::string_view& text, int& value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0)
        return false;
    text.remove_prefix(std::size_t(end - text.data()));
    return true;
}

// Stages of one worker are s, s + d, s + 2d (looped) or whatever the file says: the chunk is the
// rank among them.
void nameChunks(Schedule& schedule)
{
    std::vector<std::vector<int>> held(schedule.workers.size());
    for (int stage = 0; stage < schedule.stages; ++stage)
        held[std::size_t(schedule.workerOfStage[std::size_t(stage)])].push_back(stage);
    for (std::size_t w = 0; w < schedule.workers.size(); ++w)
        for (Action& action : schedule.workers[w]) {
            const auto at = std::find(held[w].begin(), held[w].end(), action.stage);
            action.chunk = std::uint8_t(at - held[w].begin());
        }
}

// Public files write B for the input gradient where the weight gradient stands apart as W, and B or
// BW for the whole backward where it does not.
void splitBackwards(Schedule& schedule)
{
    std::vector<char> hasWeight(
        std::size_t(schedule.stages) * std::size_t(schedule.microbatches), 0);
    const auto index = [&](const Action& action) {
        return std::size_t(action.stage) * std::size_t(schedule.microbatches)
            + std::size_t(action.microbatch);
    };
    for (const auto& list : schedule.workers)
        for (const Action& action : list)
            if (action.kind == ActionKind::BackwardWeight)
                hasWeight[index(action)] = 1;
    for (auto& list : schedule.workers)
        for (Action& action : list)
            if (action.kind == ActionKind::Backward && hasWeight[index(action)])
                action.kind = ActionKind::BackwardInput;
}

} // namespace

std::string toText(const Action& action)
{
    std::string word = kindName(action.kind);
    if (action.kind == ActionKind::Send || action.kind == ActionKind::Recv)
        word += action.gradient ? "_B" : "_F";
    return fmt::format("{}{}{}", action.stage, word, action.microbatch);
}

namespace {

// As a message can show it: short, and one line whatever a file holds.
std::string shownCell(std::string_view text)
{
    constexpr std::size_t kMost = 40;
    std::string shown(text.substr(0, kMost));
    for (char& c : shown)
        if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~')
            c = '?';
    return text.size() > kMost ? shown + "…" : shown;
}

} // namespace

Result<Action> parseAction(std::string_view text)
{
    const std::string whole = shownCell(text);
    Action action;
    text = trim(text);
    if (takeNumber(text, action.stage))
        for (const Word& word : kWords)
            if (text.substr(0, word.text.size()) == word.text) {
                std::string_view rest = text.substr(word.text.size());
                if (!takeNumber(rest, action.microbatch) || !rest.empty())
                    continue;
                action.kind = word.kind;
                action.gradient = word.gradient;
                return action;
            }
    return fail(ErrorKind::Invalid,
        "'{}' is no action; one looks like 2F0 (stage 2, forward, microbatch 0), with F B I W R U "
        "SEND_F RECV_B",
        whole);
}

std::string toCsv(const Schedule& schedule)
{
    std::string text;
    for (const auto& list : schedule.workers) {
        for (std::size_t i = 0; i < list.size(); ++i)
            text += (i ? "," : "") + toText(list[i]);
        text += '\n';
    }
    return text;
}

Result<Schedule> scheduleFromCsv(const std::string& text, const std::string& where)
{
    Schedule schedule;
    schedule.name = "csv";
    schedule.batches = 1;
    int line = 0;
    for (std::string_view row : split(text, '\n')) {
        ++line;
        if (trim(row).empty())
            continue;
        auto& list = schedule.workers.emplace_back();
        int column = 0;
        for (const std::string_view cell : split(row, ',')) {
            ++column;
            if (trim(cell).empty())
                continue; // a bubble
            const Result<Action> action = parseAction(cell);
            if (!action)
                return fail(ErrorKind::Invalid, "{}: line {}, cell {}: {}", where, line, column,
                    action.error().message);
            if (action->stage > 4095 || action->microbatch > 10'000'000)
                return fail(ErrorKind::Invalid,
                    "{}: line {}, cell {}: {} is beyond 4096 stages or 10 million microbatches",
                    where, line, column, toText(*action));
            list.push_back(*action);
            schedule.stages = std::max(schedule.stages, action->stage + 1);
            if (carriesMicrobatch(action->kind))
                schedule.microbatches = std::max(schedule.microbatches, action->microbatch + 1);
        }
    }
    if (schedule.stages == 0 || schedule.microbatches == 0)
        return fail(ErrorKind::Invalid,
            "{} holds no actions; a schedule has one row a worker with cells such as 0F0,0F1,0B0",
            where);
    if (std::int64_t(schedule.stages) * schedule.microbatches > kMostCells)
        return fail(ErrorKind::Invalid,
            "{}: {} stages with microbatches up to {} are more than {} pairs; check the numbers",
            where, schedule.stages, schedule.microbatches - 1, kMostCells);
    schedule.microbatchesPerUpdate = schedule.microbatches;
    schedule.workerOfStage.assign(std::size_t(schedule.stages), -1);
    for (std::size_t w = 0; w < schedule.workers.size(); ++w)
        for (const Action& action : schedule.workers[w]) {
            int& owner = schedule.workerOfStage[std::size_t(action.stage)];
            if (owner >= 0 && owner != int(w))
                return fail(ErrorKind::Invalid,
                    "{}: stage {} stands in row {} and in row {}; a stage belongs to one worker",
                    where, action.stage, owner + 1, w + 1);
            owner = int(w);
        }
    for (int stage = 0; stage < schedule.stages; ++stage)
        if (schedule.workerOfStage[std::size_t(stage)] < 0)
            return fail(ErrorKind::Invalid, "{}: stage {} of {} is in no row", where, stage,
                schedule.stages);
    nameChunks(schedule);
    splitBackwards(schedule);
    return schedule;
}

} // namespace stageloom
