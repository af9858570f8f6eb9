// SPDX-License-Identifier: Apache-2.0
#include "core/sim/trace_forms.h"

#include "core/base/units.h"

#include <algorithm>
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

// What fills most of a column: the span that covers its middle.
char letterOf(const Span& span, bool first)
{
    const int microbatch = span.microbatch + 1;
    switch (span.kind) {
    case ActionKind::Forward:
        return first ? char('0' + microbatch % 10) : '-';
    case ActionKind::Backward:
    case ActionKind::BackwardInput:
        return first ? char('a' + (microbatch - 1) % 26) : '=';
    case ActionKind::BackwardWeight:
        return first ? 'w' : '~';
    case ActionKind::Recompute:
        return 'r';
    default:
        return 'U';
    }
}

std::string ruler(const Trace& trace, double total, int columns)
{
    std::string line(std::size_t(columns), ' ');
    for (int at = 0; at + 12 < columns; at += 20) {
        const double time = total * at / columns;
        const std::string label
            = "|" + (trace.timeUnit.empty() ? fmt::format("{:.4g}", time) : formatSeconds(time));
        line.replace(std::size_t(at), std::min(label.size(), line.size() - std::size_t(at)), label);
    }
    return line;
}

} // namespace

Json toJson(const Trace& trace, const TraceMetrics& metrics)
{
    Json document;
    document["time_unit"] = trace.timeUnit.empty() ? Json(nullptr) : Json(trace.timeUnit);
    document["makespan"] = number(metrics.makespan);
    document["bubble_fraction"] = std::round(metrics.bubbleFraction * 1e6) / 1e6;
    document["steady_bubble_fraction"] = metrics.steadyBubbleFraction
        ? Json(std::round(*metrics.steadyBubbleFraction * 1e6) / 1e6)
        : Json(nullptr);
    document["fill"] = number(metrics.fill);
    document["drain"] = number(metrics.drain);
    document["period_per_batch"] = number(metrics.periodPerBatch);
    document["period_per_microbatch"] = number(metrics.periodPerMicrobatch);
    document["stages"] = Json::array();
    for (const StageMetrics& stage : metrics.stages)
        document["stages"].push_back(
            { { "stage", stage.stage }, { "device", trace.deviceOf(stage.device) },
                { "busy", number(stage.busy) }, { "idle", number(stage.idle) },
                { "peak_stash", stage.peakStash }, { "peak_versions", stage.peakVersions } });
    Json spans = Json::array();
    for (const Span& span : trace.spans)
        spans.push_back({ { "device", trace.deviceOf(span.device) }, { "stage", span.stage },
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
        text += fmt::format("{},{},{},{},{},{},{},{},{}\n", trace.deviceOf(span.device), span.stage,
            span.chunk, kindName(span.kind), span.batch,
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
    // What runs beside a device's own work has a thread of its own: events of one thread nest.
    const auto beside = [](const Span& span) {
        return isTransfer(span.kind) || span.kind == ActionKind::AllReduce;
    };
    const auto nameThread = [&](int thread, int device, const char* what) {
        events.push_back({ { "ph", "M" }, { "name", "thread_name" }, { "pid", process },
            { "tid", thread },
            { "args", { { "name", fmt::format("device {}{}", trace.deviceOf(device), what) } } } });
    };
    const bool transfers = std::any_of(trace.spans.begin(), trace.spans.end(), beside);
    for (int d = 0; d < trace.devices; ++d)
        nameThread(d, d, "");
    for (int d = 0; transfers && d < trace.devices; ++d)
        nameThread(trace.devices + d, d, ", transfers");
    for (const Span& span : trace.spans)
        events.push_back({ { "ph", "X" }, { "pid", process },
            { "tid", span.device + (beside(span) ? trace.devices : 0) },
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

std::string asciiTimeline(const Trace& trace, int columns)
{
    const double total = trace.makespan();
    if (total <= 0 || columns < 20)
        return "(nothing took any time)\n";
    // Small whole-number timelines are drawn one column a unit, which shows every slot.
    if (trace.timeUnit.empty() && total <= columns)
        columns = int(total + 0.5);
    std::string text = "           " + ruler(trace, total, columns) + "\n";
    std::size_t next = 0;
    for (int device = 0; device < trace.devices; ++device) {
        std::string row(std::size_t(columns), '.');
        for (; next < trace.spans.size() && trace.spans[next].device == device; ++next) {
            const Span& span = trace.spans[next];
            if (span.end <= span.start
                || !(isCompute(span.kind) || span.kind == ActionKind::Update))
                continue; // transfers and reductions run beside the device's own work
            const int from = int(span.start / total * columns + 0.5);
            const int to = std::min(columns, int(span.end / total * columns + 0.5));
            for (int at = from; at < to; ++at)
                row[std::size_t(at)] = letterOf(span, at == from);
        }
        text += fmt::format("device {:>2}  {}\n", trace.deviceOf(device), row);
    }
    return text
        + "           digit: forward of that microbatch (last digit)   "
          "letter: backward (a = 1)   "
          ". idle   U update\n";
}

} // namespace stageloom
