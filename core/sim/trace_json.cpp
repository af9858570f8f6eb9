// SPDX-License-Identifier: Apache-2.0
#include "core/sim/metrics.h"

#include <cmath>

namespace stageloom {

namespace {

// Whole numbers are written as such: 57, not 57.0.
Json number(double value)
{
    if (std::fabs(value) < 1e15 && value == std::floor(value))
        return std::int64_t(value);
    return value;
}

} // namespace

Json toJson(const Trace& trace, const TraceMetrics& metrics)
{
    Json document;
    document["time_unit"] = trace.timeUnit.empty() ? Json(nullptr) : Json(trace.timeUnit);
    document["makespan"] = number(metrics.makespan);
    document["bubble_fraction"] = std::round(metrics.bubbleFraction * 1e6) / 1e6;
    document["period_per_batch"] = number(metrics.periodPerBatch);
    document["period_per_microbatch"] = number(metrics.periodPerMicrobatch);
    document["stages"] = Json::array();
    for (const StageMetrics& stage : metrics.stages)
        document["stages"].push_back({ { "stage", stage.stage }, { "device", stage.device },
            { "busy", number(stage.busy) }, { "idle", number(stage.idle) },
            { "peak_stash", stage.peakStash }, { "peak_versions", stage.peakVersions } });
    Json spans = Json::array();
    for (const Span& span : trace.spans)
        spans.push_back({ { "device", span.device }, { "stage", span.stage },
            { "chunk", span.chunk }, { "kind", kindName(span.kind) }, { "batch", span.batch },
            { "microbatch",
                carriesMicrobatch(span.kind) ? Json(span.microbatch + 1) : Json(nullptr) },
            { "version", span.version < 0 ? Json(nullptr) : Json(span.version) },
            { "start", number(span.start) }, { "end", number(span.end) } });
    document["spans"] = std::move(spans);
    return document;
}

// Microbatches count from 0 here, as in every CSV file (from 1 in JSON only).
std::string traceCsv(const Trace& trace)
{
    std::string text = "device,stage,chunk,kind,batch,microbatch,version,start,end\n";
    for (const Span& span : trace.spans)
        text += fmt::format("{},{},{},{},{},{},{},{},{}\n", span.device, span.stage, span.chunk,
            kindName(span.kind), span.batch,
            carriesMicrobatch(span.kind) ? std::to_string(span.microbatch) : "",
            span.version < 0 ? "" : std::to_string(span.version), span.start, span.end);
    return text;
}

// Trace Event format: complete events in microseconds, one thread a device. Units of the caller
// count as milliseconds.
Json chromeEvents(const Trace& trace, const std::string& title, int process)
{
    const double scale = trace.timeUnit.empty() ? 1e3 : 1e6;
    Json events = Json::array();
    events.push_back({ { "ph", "M" }, { "name", "process_name" }, { "pid", process },
        { "args", { { "name", title } } } });
    for (int d = 0; d < trace.devices; ++d)
        events.push_back({ { "ph", "M" }, { "name", "thread_name" }, { "pid", process },
            { "tid", d }, { "args", { { "name", fmt::format("device {}", d) } } } });
    for (const Span& span : trace.spans)
        events.push_back({ { "ph", "X" }, { "pid", process }, { "tid", span.device },
            { "cat", kindName(span.kind) },
            { "name",
                fmt::format("{} {}", kindName(span.kind),
                    carriesMicrobatch(span.kind) ? span.microbatch + 1 : span.batch) },
            { "ts", span.start * scale }, { "dur", (span.end - span.start) * scale },
            { "args",
                { { "stage", span.stage }, { "batch", span.batch },
                    { "version", span.version } } } });
    return events;
}

std::string chromeDocument(Json events)
{
    return jsonLine(Json { { "displayTimeUnit", "ms" }, { "traceEvents", std::move(events) } })
        + "\n";
}

std::string chromeTrace(const Trace& trace, const std::string& title)
{
    return chromeDocument(chromeEvents(trace, title, 0));
}

} // namespace stageloom
