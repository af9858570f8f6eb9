// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include <string>

namespace stageloom::engine {

struct ProfilePlace {
    std::string plan, output;
    int threads = 1; // a stage
};

// Times the plan's layers and writes a profile file. Prints "progress 0.25" lines, for the program
// that started it.
Status profilePlan(const ProfilePlace& place);

} // namespace stageloom::engine
