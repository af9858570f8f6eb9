// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/demo_report.h"

#include "core/base/text_files.h"
#include "core/base/units.h"
#include "core/sim/trace_forms.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace stageloom::demo {

namespace {

// Nats a byte of a model that only knows how often each byte occurs: what any training has to beat.
double unigramEntropy(const std::filesystem::path& path)
{
    std::array<double, 256> counts {};
    double total = 0;
    const auto add = [&](const std::filesystem::path& file) {
        std::ifstream in(file, std::ios::binary);
        for (std::array<char, 65536> block; in.read(block.data(), block.size()), in.gcount() > 0;)
            for (std::streamsize i = 0; i < in.gcount(); ++i, ++total)
                ++counts[static_cast<unsigned char>(block[std::size_t(i)])];
    };
    if (const Result<TextFiles> text = findTextFiles(path.string())) // as the engine reads it
        for (const TextFiles::File& file : text->files)
            add(file.path);
    double entropy = 0;
    for (const double count : counts)
        if (count > 0)
            entropy -= count / total * std::log(count / total);
    return entropy;
}

std::string orDash(const std::optional<double>& value, const char* format = "{:.3f}")
{
    return value ? fmt::format(fmt::runtime(format), *value) : "–";
}

std::string percentOrDash(const std::optional<double>& value)
{
    return value ? formatPercent(*value) : "–";
}

} // namespace

void printModel(const Model& model, const std::string& data)
{
    fmt::print("Model     {} ({}): {} layers, {} parameters, sequences of {} tokens\n", model.name,
        model.family, model.layers.size(), formatCount(double(model.parameters)), model.seq);
    fmt::print(
        "Text      {}: {:.3f} nats a byte by byte frequencies alone\n", data, unigramEntropy(data));
    std::fflush(stdout);
}

void printPlan(const Plan& plan, const Prediction& prediction)
{
    fmt::print("Plan      {} on {}: {} stages, batches of {} microbatches of {} samples\n",
        plan.schedule, plan.topology.title, plan.depth(), plan.microbatches, plan.microbatchSize);
    for (std::size_t s = 0; s < plan.stages.size(); ++s) {
        const StagePrediction& stage = prediction.stages[s];
        fmt::print("          stage {}: layers {} to {}, forward {}, backward {}, {}\n", s,
            plan.stages[s].firstLayer, plan.stages[s].lastLayer, formatSeconds(stage.times.forward),
            formatSeconds(stage.times.backward), formatBytes(stage.memory.total()));
    }
    fmt::print("Predicted {} a batch, {}; bubble {} of the {} batches drawn, with filling and "
               "draining\n\n{}",
        formatSeconds(prediction.stepTime), formatRate(prediction.tokensPerSecond, "tokens"),
        formatPercent(prediction.metrics.bubbleFraction), prediction.schedule.batches,
        asciiTimeline(prediction.trace, 100));
    std::fflush(stdout);
}

Status printResults(
    const std::vector<RunRow>& rows, const std::filesystem::path& store, const std::string& data)
{
    fmt::print("\n{:<22}", "");
    for (const RunRow& row : rows)
        fmt::print("{:>14}", row.schedule);
    const auto line = [&](const char* title, const auto& cell) {
        fmt::print("\n{:<22}", title);
        for (const RunRow& row : rows)
            fmt::print("{:>14}", cell(row));
    };
    line("run", [](const RunRow& row) { return fmt::format("{}", row.id.value); });
    line("training loss", [](const RunRow& row) { return orDash(row.finalLoss); });
    line("validation loss", [](const RunRow& row) { return orDash(row.validationLoss); });
    line("tokens/s", [](const RunRow& row) { return orDash(row.tokensPerSecond, "{:.0f}"); });
    line("bubble predicted", [](const RunRow& row) { return percentOrDash(row.bubblePredicted); });
    line("bubble measured", [](const RunRow& row) { return percentOrDash(row.bubbleMeasured); });
    line("peak memory",
        [](const RunRow& row) { return row.peakRssBytes ? formatBytes(*row.peakRssBytes) : "–"; });
    const double entropy = unigramEntropy(data);
    line("below byte entropy", [&](const RunRow& row) {
        return row.validationLoss ? fmt::format("{:.2f} nat", entropy - *row.validationLoss) : "–";
    });
    fmt::print("\n\nBoth runs are kept in {}: `stageloom runs list`.\n", store.string());
    for (const RunRow& row : rows)
        if (row.state == RunState::Finished && row.validationLoss
            && entropy - *row.validationLoss < 0.5)
            fmt::print(
                "{} ended less than half a nat below byte frequencies; more --steps are needed.\n",
                row.schedule);
    return {};
}

} // namespace stageloom::demo
