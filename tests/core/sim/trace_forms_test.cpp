// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/schedule/registry.h"
#include "core/sim/simulator.h"
#include "core/sim/trace_forms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

using namespace stageloom;

namespace {

Trace example()
{
    ScheduleRequest request;
    request.depth = request.microbatches = request.batches = 4;
    SimulationInput input;
    input.stages.assign(4, {});
    return simulate(makeSchedule(request).value(), input).value();
}

template <typename Write> std::string textOf(const Write& write)
{
    std::string text;
    const TextSink sink = [&text](std::string_view piece) {
        text += piece;
        return true;
    };
    write(sink);
    return text;
}

std::string jsonOf(const Trace& trace)
{
    return textOf([&](const TextSink& sink) { writeTraceJson(trace, measure(trace), sink); });
}

std::string csvOf(const Trace& trace)
{
    return textOf([&](const TextSink& sink) { writeTraceCsv(trace, sink); });
}

std::string chromeOf(const Trace& trace, const std::string& title)
{
    return textOf([&](const TextSink& sink) {
        ChromeTraceWriter writer(sink);
        writer.add(trace, title, 0);
        writer.finish();
    });
}

} // namespace

TEST(TraceJson, hasTheKeysAndValuesOfTheContract)
{
    const Trace trace = example();
    const Json document = Json::parse(jsonOf(trace));
    EXPECT_TRUE(document["time_unit"].is_null());
    EXPECT_EQ(document["makespan"], 57);
    EXPECT_EQ(document["bubble_fraction"], 0.157895);
    EXPECT_EQ(document["period_per_batch"], 12);
    EXPECT_EQ(document["period_per_microbatch"], 3);
    EXPECT_EQ(document["stages"][0],
        Json::parse(
            R"({"stage":0,"device":0,"busy":48,"idle":9,"peak_stash":4,"peak_versions":2})"));
    const Json wanted = Json::parse(R"({"device":0,"stage":0,"chunk":0,"kind":"F","batch":2,
        "microbatch":9,"version":1,"start":24,"end":25})");
    EXPECT_EQ(std::count(document["spans"].begin(), document["spans"].end(), wanted), 1);
}

TEST(TraceJson, saysTheSteadyBubbleBesideTheWholeOne)
{
    const Trace trace = example();
    const Json document = Json::parse(jsonOf(trace));
    EXPECT_EQ(document["steady_bubble_fraction"], 0);
    EXPECT_EQ(document["fill"], 3);
    EXPECT_EQ(document["drain"], 6);
    Trace one = example();
    std::erase_if(one.spans, [](const Span& span) { return span.stage > 0; });
    one.stages = one.devices = 1;
    EXPECT_TRUE(Json::parse(jsonOf(one))["steady_bubble_fraction"].is_null());
}

TEST(TraceJson, aDeviceIsThePlans)
{
    Trace trace = example();
    trace.planDevices = { 6, 4, 2, 0 };
    const Json document = Json::parse(jsonOf(trace));
    EXPECT_EQ(document["stages"][1]["device"], 4);
    EXPECT_EQ(document["spans"][0]["device"], 6);
    EXPECT_NE(csvOf(trace).find("\n6,0,0,F,2,8,1,24,25,\n"), std::string::npos);
    EXPECT_NE(asciiTimeline(trace, 100).find("device  4"), std::string::npos);
}

TEST(TraceJson, secondsAreSaid)
{
    Trace trace = example();
    trace.timeUnit = "s";
    EXPECT_EQ(Json::parse(jsonOf(trace))["time_unit"], "s");
}

TEST(TraceJson, numbersReadBackAsTheyWere)
{
    Trace trace = example();
    trace.spans[0].end = 0.1 + 0.2;
    trace.spans[1].start = 1e-9 / 3;
    const Json spans = Json::parse(jsonOf(trace))["spans"];
    EXPECT_EQ(spans[0]["end"], 0.1 + 0.2);
    EXPECT_EQ(spans[1]["start"], 1e-9 / 3);
    EXPECT_TRUE(spans.back()["microbatch"].is_number() || spans.back()["kind"] == "U");
}

// Memory stays bounded because the text leaves in pieces, and a full disk ends the writing early.
TEST(TraceForms, leaveInPiecesAndEndWhereNoMoreIsTaken)
{
    Trace trace = example();
    for (int i = 0; i < 7; ++i)
        trace.spans.insert(trace.spans.end(), trace.spans.begin(), trace.spans.end());
    const auto look = [](const auto& write) {
        std::size_t pieces = 0, longest = 0, refusedAfter = 0;
        write([&](std::string_view piece) {
            longest = std::max(longest, piece.size());
            return ++pieces > 0;
        });
        write([&](std::string_view) { return ++refusedAfter < 3; });
        EXPECT_GT(pieces, 5u);
        EXPECT_LT(longest, 128u << 10);
        EXPECT_LE(refusedAfter, 4u); // a writer of several parts may ask once more
    };
    look([&](const TextSink& sink) { writeTraceJson(trace, TraceMetrics {}, sink); });
    look([&](const TextSink& sink) { writeTraceCsv(trace, sink); });
    look([&](const TextSink& sink) {
        ChromeTraceWriter writer(sink);
        writer.add(trace, "t", 0);
    });
}

TEST(ChromeTrace, isJsonWithOneCompleteEventASpan)
{
    const Trace trace = example();
    const Json document = Json::parse(chromeOf(trace, "a \"quoted\" title"));
    std::size_t complete = 0;
    double last = 0;
    for (const Json& event : document["traceEvents"])
        if (event["ph"] == "X") {
            ++complete;
            EXPECT_GE(event["dur"].get<double>(), 0);
            last = std::max(last, event["ts"].get<double>() + event["dur"].get<double>());
        }
    EXPECT_EQ(complete, trace.spans.size());
    EXPECT_DOUBLE_EQ(last, 57'000);
}

TEST(TraceCsv, hasARowASpanAndCountsMicrobatchesFromZero)
{
    const Trace trace = example();
    const auto lines = split(csvOf(trace), '\n').size();
    EXPECT_EQ(lines, trace.spans.size() + 2); // header and the end of the last line
    EXPECT_NE(csvOf(trace).find("\n0,0,0,F,2,8,1,24,25,\n"), std::string::npos);
}

// Of 1F1B's two directions between the stages; what a device has of one it has of the other.
TEST(TraceForms, sayWhatATransferCarriesAndBetweenWhom)
{
    ScheduleRequest request;
    request.name = "1f1b";
    request.depth = 3;
    request.microbatches = 3;
    SimulationInput input;
    input.stages.assign(3, {});
    input.hops.assign(2, 0.5);
    const Trace trace = simulate(makeSchedule(request).value(), input).value();
    const Json document = Json::parse(jsonOf(trace));
    std::map<std::string, int> sent;
    for (const Json& span : document["spans"]) {
        EXPECT_EQ(span.contains("carries"), span["kind"] == "SEND" || span["kind"] == "RECV");
        if (span["kind"] == "SEND")
            ++sent[fmt::format("{} {} {}", span["stage"].get<int>(),
                span["carries"].get<std::string>(), span["peer"].get<int>())];
    }
    EXPECT_EQ(sent,
        (std::map<std::string, int> { { "0 activation 1", 3 }, { "1 activation 2", 3 },
            { "2 gradient 1", 3 }, { "1 gradient 0", 3 } }));
    const std::string chrome = chromeOf(trace, "t");
    for (const char* name : { "SEND 1, activation to stage 2", "SEND 1, gradient to stage 0",
             "RECV 1, gradient from stage 1", "RECV 1, activation from stage 0" })
        EXPECT_NE(chrome.find(fmt::format("\"name\":\"{}\"", name)), std::string::npos) << name;
    EXPECT_NE(csvOf(trace).find(",gradient\n"), std::string::npos);
}

// A file or an engine of an older program has the chunk alone, and an older program reads no more.
TEST(Span, cargoSharesANumberWithTheChunk)
{
    for (const Cargo cargo : { Cargo::Unknown, Cargo::Activation, Cargo::Gradient })
        for (const int chunk : { 0, 1, 255 }) {
            Span span, back;
            span.chunk = std::uint8_t(chunk);
            span.cargo = cargo;
            setChunkAndCargo(back, chunkAndCargo(span));
            EXPECT_EQ(back, span);
            EXPECT_EQ(std::uint8_t(chunkAndCargo(span)), chunk);
            setChunkAndCargo(back, chunk);
            EXPECT_EQ(back.cargo, Cargo::Unknown);
        }
    Span old;
    old.kind = ActionKind::Send;
    EXPECT_EQ(cargoText(old), "");
    EXPECT_EQ(sizeof(Span), 40u);
}

namespace {

// A device's rows of all blocks, one behind the other.
std::string rowOf(const std::string& text, int device)
{
    std::string row;
    for (const std::string_view line : split(text, '\n'))
        if (line.starts_with(fmt::format("device {:>2}  ", device)))
            row += line.substr(11);
    return row;
}

Trace pipeline(int microbatches, int batches)
{
    ScheduleRequest request;
    request.depth = 4;
    request.microbatches = microbatches;
    request.batches = batches;
    SimulationInput input;
    input.stages.assign(4, {});
    return simulate(makeSchedule(request).value(), input).value();
}

} // namespace

TEST(Ascii, namesEveryMicrobatchAndKeepsTime)
{
    const std::string text = asciiTimeline(example(), 100);
    for (const std::string_view line : split(text, '\n'))
        EXPECT_LE(line.size(), 111u) << line;
    const std::string first = rowOf(text, 0), last = rowOf(text, 3);
    // Three columns a unit: 16 microbatches have two digits.
    EXPECT_EQ(first.size(), 57u * 3);
    EXPECT_EQ(first.substr(0, 48), "F1-F2-F3-F4-..................B1====F5-B2====F6-");
    EXPECT_EQ(last.substr(0, 27), ".........F1-B1====F2-B2====");
    EXPECT_EQ(std::count(first.begin(), first.end(), '.'), 9 * 3); // its idle time
}

TEST(Ascii, isReadableWithManyMicrobatches)
{
    const Trace trace = pipeline(64, 1);
    const std::string whole = asciiTimeline(trace, 100, 1000);
    for (int device = 0; device < 4; ++device)
        for (int k = 1; k <= 64; ++k)
            for (const char kind : { 'F', 'B' }) {
                const std::string name = fmt::format("{}{}{}", kind, k, kind == 'F' ? "" : "=");
                EXPECT_NE(rowOf(whole, device).find(name), std::string::npos) << device << name;
            }
    const std::string brief = asciiTimeline(trace, 100, 3);
    EXPECT_EQ(std::count(brief.begin(), brief.end(), '\n'), 3 * 5 + 2) << brief;
    EXPECT_EQ(rowOf(brief, 0).substr(0, 198), rowOf(whole, 0).substr(0, 198));
    EXPECT_NE(rowOf(brief, 0).find("B64"), std::string::npos) << "the end is there";
}

// F1 at the end of a block is not the first half of F10.
TEST(Ascii, cutsNoNumberInTwo)
{
    ScheduleRequest request;
    request.depth = 4;
    request.microbatches = 64;
    SimulationInput input; // times that no block's width is a multiple of
    input.stages.assign(4, { .forward = 1, .backward = 2.1 });
    const std::string text
        = asciiTimeline(simulate(makeSchedule(request).value(), input).value(), 100, 1000);
    int rows = 0;
    for (const std::string_view line : split(text, '\n'))
        if (line.starts_with("device") && ++rows > 4) {
            EXPECT_FALSE(line[11] >= '0' && line[11] <= '9') << line;
        }
    EXPECT_GT(rows, 20);
}
