// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_prediction.h"
#include "core/base/units.h"
#include "core/plan/prediction.h"

#include <cmath>

namespace stageloom {

namespace {

std::string beside(
    const Foreseen& number, std::string (*text)(double), const std::string& difference)
{
    if (!number.predicted)
        return number.measured ? text(*number.measured) : "–";
    if (!number.measured)
        return "– (predicted " + text(*number.predicted) + ")";
    return fmt::format("{} (predicted {}{})", text(*number.measured), text(*number.predicted),
        difference.empty() ? "" : ", " + difference);
}

std::string relative(const Foreseen& number)
{
    const auto difference = number.difference();
    return difference ? fmt::format("{:+.1f} %", *difference * 100) : std::string();
}

Json toJson(const Foreseen& number, const std::optional<double>& difference)
{
    const auto orNull = [](const std::optional<double>& value) {
        return value && std::isfinite(*value) ? Json(*value) : Json();
    };
    return { { "predicted", orNull(number.predicted) }, { "measured", orNull(number.measured) },
        { "difference", orNull(difference) } };
}

// What the engine predicted before the run began; false where the run's record has none of it.
bool takeRecorded(const Json& environment, RunPrediction& all)
{
    const Json predicted
        = environment.is_object() ? environment.value("predicted", Json()) : Json();
    const auto number = [&predicted](const char* key) -> std::optional<double> {
        const auto at = predicted.find(key);
        return at != predicted.end() && at->is_number() && at->get<double>() > 0
            ? std::optional(at->get<double>())
            : std::nullopt;
    };
    if (!number("step_seconds"))
        return false;
    all.stepSeconds.predicted = number("step_seconds");
    all.tokensPerSecond.predicted = number("tokens_per_second");
    all.memory.predicted = number("process_memory_bytes"); // 0: not of one process
    return true;
}

} // namespace

std::optional<double> Foreseen::difference() const
{
    if (!predicted || !measured || !(*predicted > 0))
        return std::nullopt;
    return *measured / *predicted - 1;
}

RunPrediction predictionOf(const RunStore& store, const RunRow& row)
{
    return predictionOf(
        row, store.plan(row.id).value_or(Json()), store.environment(row.id).value_or(Json()));
}

RunPrediction predictionOf(const RunRow& row, const Json& document, const Json& environment)
{
    RunPrediction all;
    all.tokensPerSecond.measured = row.tokensPerSecond;
    all.bubble = { row.bubblePredicted, row.bubbleMeasured };
    all.memory.measured = row.peakRssBytes;
    const Result<Plan> plan
        = planFromJson(document, fmt::format("the plan of run {}", row.id.value));
    if (!plan)
        return all;
    if (plan->depth() == 1)
        all.bubble = {};
    if (row.tokensPerSecond && *row.tokensPerSecond > 0 && plan->seq > 0)
        all.stepSeconds.measured
            = double(plan->batchSize()) * double(plan->seq) / *row.tokensPerSecond;
    if (takeRecorded(environment, all))
        return all;
    if (const Result<Prediction> prediction = predict(*plan)) {
        all.stepSeconds.predicted = prediction->stepTime;
        all.tokensPerSecond.predicted = prediction->tokensPerSecond;
        if (prediction->processMemory > 0)
            all.memory.predicted = prediction->processMemory;
    }
    return all;
}

// What is a share of time already differs by points, as the texts say it; all else by its part.
Json toJson(const RunPrediction& prediction)
{
    const auto relative
        = [](const Foreseen& number) { return toJson(number, number.difference()); };
    const Foreseen& bubble = prediction.bubble;
    return { { "step_time", relative(prediction.stepSeconds) },
        { "tokens_per_second", relative(prediction.tokensPerSecond) },
        { "steady_bubble_fraction",
            toJson(bubble,
                bubble.predicted && bubble.measured
                    ? std::optional(*bubble.measured - *bubble.predicted)
                    : std::nullopt) },
        { "process_memory_bytes", relative(prediction.memory) } };
}

std::string secondsText(const Foreseen& seconds)
{
    return beside(seconds, formatSeconds, relative(seconds));
}

std::string tokenRateText(const Foreseen& rate)
{
    return beside(
        rate, [](double value) { return formatRate(value, "tokens"); }, relative(rate));
}

std::string memoryText(const Foreseen& bytes)
{
    return beside(bytes, formatBytes, relative(bytes));
}

std::string bubbleText(const Foreseen& share)
{
    const bool both = share.predicted && share.measured;
    return beside(share, formatPercent,
        both ? fmt::format("{:+.1f} points", (*share.measured - *share.predicted) * 100)
             : std::string());
}

} // namespace stageloom
