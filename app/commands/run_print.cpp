// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_print.h"
#include "core/base/units.h"

#include <algorithm>

namespace stageloom {

namespace {

Json numberOrNull(const std::optional<double>& value)
{
    return value ? Json(*value) : Json();
}

// Characters of UTF-8 text: bytes that do not continue another.
std::size_t widthOf(const std::string& text)
{
    return std::size_t(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

} // namespace

Json rowDocument(const RunRow& row)
{
    return { { "id", row.id.value }, { "name", row.name }, { "state", toString(row.state) },
        { "started", row.started }, { "ended", row.ended.empty() ? Json() : Json(row.ended) },
        { "steps", row.steps }, { "planned_steps", row.plannedSteps },
        { "final_loss", numberOrNull(row.finalLoss) },
        { "validation_loss", numberOrNull(row.validationLoss) },
        { "tokens_per_second", numberOrNull(row.tokensPerSecond) },
        { "bubble_fraction_predicted", numberOrNull(row.bubblePredicted) },
        { "bubble_fraction_measured", numberOrNull(row.bubbleMeasured) },
        { "peak_rss_bytes", numberOrNull(row.peakRssBytes) }, { "schedule", row.schedule },
        { "model", row.model }, { "plan_hash", row.planHash }, { "tags", row.tags },
        { "notes", row.notes }, { "failure", row.failure }, { "folder", row.folder } };
}

std::string textTable(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::size_t> widths;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths.resize(std::max(widths.size(), i + 1));
            widths[i] = std::max(widths[i], widthOf(row[i]));
        }
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += row[i];
            if (i + 1 < row.size())
                text += std::string(widths[i] - widthOf(row[i]) + 2, ' ');
        }
        text += '\n';
    }
    return text;
}

std::string lossText(const std::optional<double>& loss)
{
    return loss ? fmt::format("{:.4f}", *loss) : "–";
}

std::string rateText(const std::optional<double>& tokensPerSecond)
{
    return tokensPerSecond ? formatRate(*tokensPerSecond, "tokens") : "–";
}

std::string shareText(const std::optional<double>& fraction)
{
    return fraction ? formatPercent(*fraction) : "–";
}

std::vector<DocumentDifference> differences(const std::vector<Json>& documents)
{
    std::vector<Json> flat;
    std::vector<std::string> paths; // in the order in which they first appear
    for (const Json& document : documents) {
        flat.push_back(document.flatten());
        for (const auto& [path, value] : flat.back().items())
            if (std::find(paths.begin(), paths.end(), path) == paths.end())
                paths.push_back(path);
    }
    std::vector<DocumentDifference> found;
    for (const std::string& path : paths) {
        DocumentDifference difference { path, {} };
        for (const Json& document : flat) {
            const auto at = document.find(path);
            difference.values.push_back(at == document.end() ? "–" : at->dump());
        }
        const auto& values = difference.values;
        if (std::any_of(values.begin(), values.end(),
                [&](const std::string& v) { return v != values.front(); }))
            found.push_back(std::move(difference));
    }
    return found;
}

} // namespace stageloom
