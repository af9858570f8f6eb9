// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"

namespace stageloom::engine {

// What a run's numbers depend on: processor, cores, memory, versions, threads.
Json describeEnvironment(int threadsPerStage);

double residentBytes(); // now
double peakResidentBytes(); // since the process began

} // namespace stageloom::engine
