// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_arrangement.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace stageloom {

namespace {

using Positions = std::vector<std::uint32_t>;

Positions filtered(const std::vector<RunEntry>& entries, const RunArrangement& arrangement)
{
    Positions kept;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (arrangement.only && !arrangement.only->contains(entries[i].row.id.value))
            continue;
        if (arrangement.query.matches(entries[i]))
            kept.push_back(static_cast<std::uint32_t>(i));
    }
    return kept;
}

template <typename Key, typename Unknown>
void sortBy(Positions& runs, const std::vector<Key>& keys, bool descending, Unknown unknown)
{
    std::stable_sort(runs.begin(), runs.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Key &x = keys[a], &y = keys[b];
        if (unknown(x) || unknown(y))
            return !unknown(x) && unknown(y);
        return descending ? y < x : x < y;
    });
}

void sorted(
    Positions& runs, const std::vector<RunEntry>& entries, const RunArrangement& arrangement)
{
    const RunField field = arrangement.sort;
    if (fieldInfo(field).value) {
        std::vector<double> keys(entries.size());
        for (const std::uint32_t i : runs)
            keys[i] = numberOf(entries[i], field);
        sortBy(runs, keys, arrangement.descending, [](double key) { return std::isnan(key); });
        return;
    }
    std::vector<QString> keys(entries.size());
    for (const std::uint32_t i : runs)
        keys[i] = textOf(entries[i], field).toLower();
    sortBy(runs, keys, arrangement.descending, [](const QString& key) { return key.isEmpty(); });
}

QString sectionOf(const RunEntry& entry, RunGrouping grouping)
{
    switch (grouping) {
    case RunGrouping::Model:
        return textOf(entry, RunField::Model);
    case RunGrouping::Schedule:
        return textOf(entry, RunField::Schedule);
    case RunGrouping::State:
        return textOf(entry, RunField::State);
    case RunGrouping::Tag:
        return entry.row.tags.empty() ? QString() : QString::fromStdString(entry.row.tags.front());
    case RunGrouping::None:
        break;
    }
    return {};
}

} // namespace

std::vector<RunSection> arrange(
    const std::vector<RunEntry>& entries, const RunArrangement& arrangement)
{
    Positions runs = filtered(entries, arrangement);
    sorted(runs, entries, arrangement);
    std::vector<RunSection> sections;
    if (arrangement.grouping == RunGrouping::None) {
        sections.push_back({ {}, std::move(runs) });
        return sections;
    }
    std::map<QString, Positions> byTitle;
    for (const std::uint32_t i : runs)
        byTitle[sectionOf(entries[i], arrangement.grouping)].push_back(i);
    for (auto& [title, positions] : byTitle)
        sections.push_back({ title, std::move(positions) });
    std::stable_partition(sections.begin(), sections.end(),
        [](const RunSection& section) { return !section.title.isEmpty(); });
    return sections;
}

} // namespace stageloom
