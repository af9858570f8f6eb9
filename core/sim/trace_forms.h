// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/text.h"
#include "core/sim/metrics.h"

namespace stageloom {

// A trace for other programs, written span by span: the text of a long run is never held in memory.
// A sink that takes no more ends the writing; its owner knows why.

// The document of `simulate --json` (contract.md), on one line.
void writeTraceJson(const Trace& trace, const TraceMetrics& metrics, const TextSink& sink);
// A line a span; microbatches count from 0 here, as in every CSV file (from 1 in JSON only).
void writeTraceCsv(const Trace& trace, const TextSink& sink);

// Trace Event format, for chrome://tracing and Perfetto: each trace added is a process of its own,
// a device a thread. Times are microseconds; units of the caller count as milliseconds.
class ChromeTraceWriter {
public:
    explicit ChromeTraceWriter(const TextSink& sink);
    void add(const Trace& trace, const std::string& title, int process);
    void finish();

private:
    const TextSink& m_sink;
    bool m_first = true;
};

// The trace as text, every forward and backward with its microbatch, in blocks of at most `columns`
// characters; of more than `mostBlocks` blocks the first ones and the last.
std::string asciiTimeline(const Trace& trace, int columns, int mostBlocks = 4);

} // namespace stageloom
