// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_axes.h"

#include <set>

namespace stageloom {

namespace {

// The plan's numbers before what came out.
std::vector<RunField> axisFields()
{
    std::vector<RunField> fields;
    for (const bool ofPlan : { true, false })
        for (int i = 0; i < kRunFields; ++i)
            if (const auto field = static_cast<RunField>(i); fieldInfo(field).axis
                && (field >= RunField::Stages && field <= RunField::LearningRate) == ofPlan)
                fields.push_back(field);
    return fields;
}

} // namespace

RunAxes runAxes(const std::vector<RunEntry>& entries, const std::vector<std::uint32_t>& runs)
{
    std::set<std::string> schedules;
    for (const std::uint32_t i : runs)
        schedules.insert(entries[i].row.schedule);
    const std::vector<RunField> numbers = axisFields();
    RunAxes result;
    ParallelAxis schedule;
    schedule.title = titleOf(RunField::Schedule);
    for (const std::string& name : schedules)
        schedule.labels << QString::fromStdString(name);
    result.axes.push_back(std::move(schedule));
    for (const RunField field : numbers) {
        ParallelAxis axis;
        axis.title = titleOf(field);
        axis.kind = static_cast<int>(field);
        axis.format
            = [](double value, int kind) { return fieldText(value, static_cast<RunField>(kind)); };
        axis.logarithmic = field == RunField::LearningRate;
        result.axes.push_back(std::move(axis));
    }
    result.rows.reserve(runs.size());
    for (const std::uint32_t i : runs) {
        const auto place = schedules.find(entries[i].row.schedule);
        ParallelRow row { static_cast<double>(std::distance(schedules.begin(), place)) };
        for (const RunField field : numbers)
            row.push_back(numberOf(entries[i], field));
        result.rows.push_back(std::move(row));
    }
    return result;
}

} // namespace stageloom
