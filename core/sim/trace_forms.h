// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/sim/metrics.h"
#include <string>

// A trace in the forms that leave the program.
namespace stageloom {

// The document of `simulate --json`.
Json toJson(const Trace& trace, const TraceMetrics& metrics);
std::string traceCsv(const Trace& trace);
std::string chromeTrace(const Trace& trace, const std::string& title);
// Its parts, for several traces in one file: each is a process of its own.
Json chromeEvents(const Trace& trace, const std::string& title, int process);
std::string chromeDocument(Json events);
std::string asciiTimeline(const Trace& trace, int columns);

} // namespace stageloom
