// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include "core/schedule/registry.h"
#include "core/sim/simulator.h"
#include "core/sim/trace_forms.h"

#include <gtest/gtest.h>

#include <algorithm>

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

} // namespace

TEST(TraceJson, hasTheKeysAndValuesOfTheContract)
{
    const Trace trace = example();
    const Json document = toJson(trace, measure(trace));
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
    const Json document = toJson(trace, measure(trace));
    EXPECT_EQ(document["steady_bubble_fraction"], 0);
    EXPECT_EQ(document["fill"], 3);
    EXPECT_EQ(document["drain"], 6);
    Trace one = example();
    std::erase_if(one.spans, [](const Span& span) { return span.stage > 0; });
    one.stages = one.devices = 1;
    EXPECT_TRUE(toJson(one, measure(one))["steady_bubble_fraction"].is_null());
}

TEST(TraceJson, aDeviceIsThePlans)
{
    Trace trace = example();
    trace.planDevices = { 6, 4, 2, 0 };
    const Json document = toJson(trace, measure(trace));
    EXPECT_EQ(document["stages"][1]["device"], 4);
    EXPECT_EQ(document["spans"][0]["device"], 6);
    EXPECT_NE(traceCsv(trace).find("\n6,0,0,F,2,8,1,24,25\n"), std::string::npos);
    EXPECT_NE(asciiTimeline(trace, 100).find("device  4"), std::string::npos);
}

TEST(TraceJson, secondsAreSaid)
{
    Trace trace = example();
    trace.timeUnit = "s";
    EXPECT_EQ(toJson(trace, measure(trace))["time_unit"], "s");
}

TEST(ChromeTrace, isJsonWithOneCompleteEventASpan)
{
    const Trace trace = example();
    const Json document = Json::parse(chromeTrace(trace, "a \"quoted\" title"));
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
    const auto lines = split(traceCsv(trace), '\n').size();
    EXPECT_EQ(lines, trace.spans.size() + 2); // header and the end of the last line
    EXPECT_NE(traceCsv(trace).find("\n0,0,0,F,2,8,1,24,25\n"), std::string::npos);
}

TEST(Ascii, drawsARowADeviceAndOneColumnAUnitWhereThatFits)
{
    const std::string text = asciiTimeline(example(), 100);
    std::vector<std::string> rows;
    for (const std::string_view line : split(text, '\n'))
        if (line.starts_with("device"))
            rows.emplace_back(line.substr(11));
    ASSERT_EQ(rows.size(), 4u);
    for (const std::string& row : rows)
        EXPECT_EQ(row.size(), 57u);
    EXPECT_EQ(rows[0].substr(0, 16), "1234......a=5b=6");
    EXPECT_EQ(rows[3].substr(0, 9), "...1a=2b=");
    EXPECT_EQ(std::count(rows[0].begin(), rows[0].end(), '.'), 9); // its idle time
}
