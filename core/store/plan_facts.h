// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/store/database.h"
#include <optional>
#include <vector>

namespace stageloom {

// The numbers of a run's plan that a table of runs shows; none where the plan does not say.
struct PlanFacts {
    RunId id;
    std::optional<std::int64_t> stages, width, microbatches, microbatchSize;
    std::optional<double> learningRate;

    [[nodiscard]] std::optional<std::int64_t> batchSize() const; // samples
};

// Of all runs with an id above `after`, ordered by id. SQLite reads them out of the plans' text,
// so that no plan is parsed as a whole.
Result<std::vector<PlanFacts>> readPlanFacts(const Database& database, RunId after = {});

} // namespace stageloom
