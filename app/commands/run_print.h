// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/store/run_store.h"
#include <string>
#include <vector>

namespace stageloom {

// One element of `runs list --json` (contract.md).
Json rowDocument(const RunRow& row);

// Columns as wide as their widest cell (in characters, not bytes), two blanks apart; the first row
// is the heading.
std::string textTable(const std::vector<std::vector<std::string>>& rows);

// For a person; a dash where there is no number.
std::string lossText(const std::optional<double>& loss);
std::string rateText(const std::optional<double>& tokensPerSecond);
std::string shareText(const std::optional<double>& fraction);

// The leaves in which two documents differ: "/optimizer/learning_rate" and each document's value.
struct DocumentDifference {
    std::string path;
    std::vector<std::string> values;
};
std::vector<DocumentDifference> differences(const std::vector<Json>& documents);

} // namespace stageloom
