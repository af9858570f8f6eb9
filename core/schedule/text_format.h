// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/schedule/schedule.h"
#include <string>
#include <string_view>

namespace stageloom {

std::string toText(const Action& action); // "2F0", "0B3", "1W2", "1U0", "0SEND_F3"
Result<Action> parseAction(std::string_view text);

// One row a worker, actions separated by commas (PyTorch's compute CSV; empty cells are bubbles).
std::string toCsv(const Schedule& schedule);
// `where` names the file in messages (line and column follow). Batches: one.
Result<Schedule> scheduleFromCsv(const std::string& text, const std::string& where);

} // namespace stageloom
