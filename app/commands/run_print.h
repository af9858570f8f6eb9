// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_store.h"
#include <string>
#include <vector>

namespace stageloom {

// Columns as wide as their widest cell (in characters, not bytes), two blanks apart; the first row
// is the heading. A row is one line: cells of more than kWidestCell characters are cut with "…",
// and control characters are blanks.
inline constexpr std::size_t kWidestCell = 60;
std::string textTable(const std::vector<std::vector<std::string>>& rows);

// Control characters, line ends among them, as blanks: what a person called a run cannot break a
// line or reach the terminal.
std::string oneLine(std::string text);

// For a person; a dash where there is no number.
std::string lossText(const std::optional<double>& loss);
std::string rateText(const std::optional<double>& tokensPerSecond);

} // namespace stageloom
