// SPDX-License-Identifier: Apache-2.0
#include "core/store/plan_facts.h"

#include "core/store/sql.h"

namespace stageloom {

namespace {

std::optional<std::int64_t> wholeAt(const SQLite::Statement& query, int column)
{
    const SQLite::Column value = query.getColumn(column);
    return value.isInteger() ? std::optional(value.getInt64()) : std::nullopt;
}

} // namespace

std::optional<std::int64_t> PlanFacts::batchSize() const
{
    if (!microbatches || !microbatchSize)
        return std::nullopt;
    return *microbatches * *microbatchSize * width.value_or(1);
}

Result<std::vector<PlanFacts>> readPlanFacts(const Database& database, RunId after)
{
    return sql::guarded(database, [&]() -> Result<std::vector<PlanFacts>> {
        SQLite::Statement query(database.raw(),
            "SELECT run, json_array_length(plan, '$.stages'), json_array_length(plan, "
            "'$.stages[0].devices'), json_extract(plan, '$.microbatches'), json_extract(plan, "
            "'$.microbatch_size'), json_extract(plan, '$.optimizer.learning_rate') "
            "FROM (SELECT run, CASE WHEN json_valid(body) THEN body ELSE '{}' END AS plan "
            "FROM run_documents WHERE kind = 'plan' AND run > ? ORDER BY run)");
        query.bind(1, after.value);
        std::vector<PlanFacts> all;
        while (query.executeStep()) {
            PlanFacts facts;
            facts.id = RunId { query.getColumn(0).getInt64() };
            facts.stages = wholeAt(query, 1);
            facts.width = wholeAt(query, 2);
            facts.microbatches = wholeAt(query, 3);
            facts.microbatchSize = wholeAt(query, 4);
            facts.learningRate = sql::numberAt(query, 5);
            all.push_back(facts);
        }
        return all;
    });
}

} // namespace stageloom
