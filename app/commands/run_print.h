// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_store.h"
#include <string>
#include <vector>

namespace stageloom {

// Columns as wide as their widest cell (in characters, not bytes), two blanks apart; the first row
// is the heading.
std::string textTable(const std::vector<std::vector<std::string>>& rows);

// For a person; a dash where there is no number.
std::string lossText(const std::optional<double>& loss);
std::string rateText(const std::optional<double>& tokensPerSecond);
std::string shareText(const std::optional<double>& fraction);

} // namespace stageloom
