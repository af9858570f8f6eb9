// SPDX-License-Identifier: Apache-2.0
#include "core/sim/trace_forms.h"

#include "core/base/json.h"
#include "core/sim/gaps.h"

#include <algorithm>

#include <cmath>
#include <iterator>

namespace stageloom {

namespace {

constexpr std::size_t kPiece = 64 << 10; // bytes handed on at once

// Collects lines and hands them on in pieces.
class Pieces {
public:
    explicit Pieces(const TextSink& sink)
        : m_sink(sink)
    {
    }
    template <typename... Args> void add(fmt::format_string<Args...> text, Args&&... args)
    {
        fmt::format_to(std::back_inserter(m_text), text, std::forward<Args>(args)...);
        if (m_text.size() >= kPiece)
            handOn();
    }
    void handOn()
    {
        m_open = m_open && m_sink({ m_text.data(), m_text.size() });
        m_text.clear();
    }
    [[nodiscard]] bool open() const { return m_open; }

private:
    const TextSink& m_sink;
    fmt::memory_buffer m_text;
    bool m_open = true;
};

// Shortest that reads back as the same number, whole numbers as such: 57, not 57.0.
std::string number(double value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

Json wholeOrReal(double value)
{
    if (std::fabs(value) < 1e15 && value == std::floor(value))
        return std::int64_t(value);
    return value;
}

// Shares of device time in the steady state by cause, and whom each device waits for most.
Json idleOf(const Trace& trace)
{
    const IdleReport report = idleReport(trace);
    Json idle { { "batches", report.batches }, { "waits", Json::array() } };
    for (std::size_t c = 0; c < kIdleCauses; ++c)
        idle[causeName(IdleCause(c))] = std::round(report.shares[c] * 1e6) / 1e6;
    for (std::size_t d = 0; d < report.devices.size(); ++d)
        if (const DeviceTime& device = report.devices[d]; device.waitsFor >= 0)
            idle["waits"].push_back({ { "device", trace.deviceOf(int(d)) },
                { "for", trace.deviceOf(device.waitsFor) }, { "kind", kindName(device.waitedKind) },
                { "time", device.waited / std::max(report.batches, 1) } });
    return idle;
}

Json headOf(const Trace& trace, const TraceMetrics& metrics)
{
    Json head { { "time_unit", trace.timeUnit.empty() ? Json() : Json(trace.timeUnit) },
        { "makespan", wholeOrReal(metrics.makespan) },
        { "bubble_fraction", std::round(metrics.bubbleFraction * 1e6) / 1e6 },
        { "steady_bubble_fraction",
            metrics.steadyBubbleFraction
                ? Json(std::round(*metrics.steadyBubbleFraction * 1e6) / 1e6)
                : Json() },
        { "fill", wholeOrReal(metrics.fill) }, { "drain", wholeOrReal(metrics.drain) },
        { "period_per_batch", wholeOrReal(metrics.periodPerBatch) },
        { "period_per_microbatch", wholeOrReal(metrics.periodPerMicrobatch) },
        { "idle", idleOf(trace) }, { "stages", Json::array() } };
    for (const StageMetrics& stage : metrics.stages)
        head["stages"].push_back(
            { { "stage", stage.stage }, { "device", trace.deviceOf(stage.device) },
                { "busy", wholeOrReal(stage.busy) }, { "idle", wholeOrReal(stage.idle) },
                { "peak_stash", stage.peakStash }, { "peak_versions", stage.peakVersions } });
    return head;
}

// The microbatch counted from `first`, or `none` for what has none.
std::string microbatchOf(const Span& span, int first, const char* none)
{
    return carriesMicrobatch(span.kind) ? std::to_string(span.microbatch + first) : none;
}

// `,"carries":"gradient","peer":1` where it is known what a transfer carries, and between whom.
std::string cargoKeys(const Span& span)
{
    const int peer = peerStage(span);
    return peer < 0 ? std::string()
                    : fmt::format(R"(,"carries":"{}","peer":{})", cargoWord(span.cargo), peer);
}

} // namespace

void writeTraceJson(const Trace& trace, const TraceMetrics& metrics, const TextSink& sink)
{
    std::string head = jsonLine(headOf(trace, metrics));
    head.pop_back(); // its brace, for the spans to follow
    Pieces out(sink);
    out.add("{},\"spans\":[", head);
    const char* comma = "";
    for (const Span& span : trace.spans) {
        out.add(R"({}{{"device":{},"stage":{},"chunk":{},"kind":"{}","batch":{},"microbatch":{},)"
                R"("version":{},"start":{},"end":{}{}}})",
            std::exchange(comma, ","), trace.deviceOf(span.device), span.stage, int(span.chunk),
            kindName(span.kind), span.batch, microbatchOf(span, 1, "null"),
            span.version < 0 ? "null" : std::to_string(span.version), number(span.start),
            number(span.end), cargoKeys(span));
        if (!out.open())
            return;
    }
    out.add("]}}\n");
    out.handOn();
}

void writeTraceCsv(const Trace& trace, const TextSink& sink)
{
    Pieces out(sink);
    out.add("device,stage,chunk,kind,batch,microbatch,version,start,end,carries\n");
    for (const Span& span : trace.spans) {
        out.add("{},{},{},{},{},{},{},{},{},{}\n", trace.deviceOf(span.device), span.stage,
            int(span.chunk), kindName(span.kind), span.batch, microbatchOf(span, 0, ""),
            span.version < 0 ? "" : std::to_string(span.version), span.start, span.end,
            cargoWord(span.cargo));
        if (!out.open())
            return;
    }
    out.handOn();
}

ChromeTraceWriter::ChromeTraceWriter(const TextSink& sink)
    : m_sink(sink)
{
    m_sink(R"({"displayTimeUnit":"ms","traceEvents":[)");
}

void ChromeTraceWriter::add(const Trace& trace, const std::string& title, int process)
{
    const double scale = trace.timeUnit.empty() ? 1e3 : 1e6;
    Pieces out(m_sink);
    const auto name = [&](const char* what, const std::string& thread, const std::string& value) {
        out.add(R"({}{{"ph":"M","name":"{}","pid":{},{}"args":{{"name":{}}}}})",
            std::exchange(m_first, false) ? "" : ",\n", what, process, thread, jsonLine(value));
    };
    name("process_name", "", title);
    // What runs beside a device's own work has a thread of its own: events of one thread nest.
    const auto beside = [](const Span& span) {
        return isTransfer(span.kind) || span.kind == ActionKind::AllReduce;
    };
    const bool transfers = std::any_of(trace.spans.begin(), trace.spans.end(), beside);
    for (int d = 0; d < trace.devices; ++d)
        name("thread_name", fmt::format("\"tid\":{},", d),
            fmt::format("device {}", trace.deviceOf(d)));
    for (int d = 0; transfers && d < trace.devices; ++d)
        name("thread_name", fmt::format("\"tid\":{},", trace.devices + d),
            fmt::format("device {}, transfers", trace.deviceOf(d)));
    for (const Span& span : trace.spans) {
        const std::string cargo = cargoText(span);
        out.add(",\n"
                R"({{"ph":"X","pid":{},"tid":{},"cat":"{}","name":"{} {}{}","ts":{},"dur":{},)"
                R"("args":{{"stage":{},"batch":{},"version":{}{}}}}})",
            process, span.device + (beside(span) ? trace.devices : 0), kindName(span.kind),
            kindName(span.kind), carriesMicrobatch(span.kind) ? span.microbatch + 1 : span.batch,
            cargo.empty() ? "" : ", " + cargo, number(span.start * scale),
            number((span.end - span.start) * scale), span.stage, span.batch, span.version,
            cargoKeys(span));
        if (!out.open())
            return;
    }
    out.handOn();
}

void ChromeTraceWriter::finish()
{
    m_sink("]}\n");
}

} // namespace stageloom
