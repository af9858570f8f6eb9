// SPDX-License-Identifier: Apache-2.0
#include "engine/client/protocol.h"

#include <cmath>
#include <gtest/gtest.h>

namespace stageloom {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string withoutNewline(std::string line)
{
    EXPECT_EQ(line.find('\n'), line.size() - 1) << "one line, ended once";
    line.pop_back();
    return line;
}

template <typename T> T decoded(const ControlEvent& event)
{
    const Result<ControlMessage> message = decodeMessage(withoutNewline(encodeEvent(event)));
    if (!message)
        throw std::runtime_error(message.error().message);
    return std::get<T>(std::get<ControlEvent>(*message));
}

} // namespace

TEST(Protocol, everyCommandComesBackAsItself)
{
    for (const ControlCommand command : { ControlCommand::Query, ControlCommand::Pause,
             ControlCommand::Resume, ControlCommand::Checkpoint, ControlCommand::StopAfterBatch,
             ControlCommand::StopNow, ControlCommand::Subscribe })
        EXPECT_EQ(decodeCommand(withoutNewline(encodeCommand(command))).value(), command);
    EXPECT_EQ(
        encodeCommand(ControlCommand::StopAfterBatch), "{\"command\":\"stop_after_batch\"}\n");
}

TEST(Protocol, malformedCommandsAreErrorsThatShowWhatCame)
{
    for (const char* line :
        { "", "{", "[]", "42", "null", "\"pause\"", "{\"command\":7}", "{}", "\xff\xfe" })
        EXPECT_FALSE(decodeCommand(line)) << line;
    EXPECT_NE(decodeCommand("{\"command\":\"explode\"}").error().message.find("explode"),
        std::string::npos);
}

TEST(Protocol, repliesCarryTheErrorOrTheStatus)
{
    EXPECT_EQ(encodeReply(Status {}), "{\"ok\":true}\n");
    const auto refused = decodeMessage(
        withoutNewline(encodeReply(Status(fail(ErrorKind::Unsupported, "no checkpoints here")))));
    EXPECT_EQ(replyStatus(std::get<Json>(*refused)).error().message, "no checkpoints here");

    RunStatus status { "paused", 7, 100, 2.5, 1234.5, 60.25, 4711 };
    const auto reply = decodeMessage(withoutNewline(encodeReply(status)));
    const Result<RunStatus> back = replyRunStatus(std::get<Json>(*reply));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->phase, "paused");
    EXPECT_EQ(back->step, 7);
    EXPECT_EQ(back->steps, 100);
    EXPECT_EQ(back->loss, 2.5);
    EXPECT_EQ(back->tokensPerSecond, 1234.5);
    EXPECT_EQ(back->secondsLeft, 60.25);
    EXPECT_EQ(back->pid, 4711);
}

TEST(Protocol, metricsKeepEveryBitAndNotMeasuredStaysNotMeasured)
{
    const MetricPoint point { 3, 0.1, 1.0 / 3, kNaN, 1e5, 0.7, 1e-3, 1.5e9, 8192 };
    const std::string line = encodeEvent(point);
    EXPECT_NE(line.find("\"validation_loss\":null"), std::string::npos);
    const auto back = decoded<MetricPoint>(point);
    EXPECT_EQ(back.step, 3);
    EXPECT_EQ(back.time, 0.1);
    EXPECT_EQ(back.loss, 1.0 / 3);
    EXPECT_TRUE(std::isnan(back.validationLoss));
    EXPECT_EQ(back.tokensPerSecond, 1e5);
    EXPECT_EQ(back.gradNorm, 0.7);
    EXPECT_EQ(back.learningRate, 1e-3);
    EXPECT_EQ(back.rssBytes, 1.5e9);
    EXPECT_EQ(back.tokens, 8192);
}

TEST(Protocol, everyMetricArrivesAndWhatAnOlderEngineDoesNotSendIsNotMeasured)
{
    MetricPoint point;
    double value = 0.1;
    for (const MetricColumn& column : metricColumns())
        point.*column.member = ++value;
    const auto back = decoded<MetricPoint>(point);
    for (const MetricColumn& column : metricColumns())
        EXPECT_EQ(back.*column.member, point.*column.member) << column.name;
    const auto older
        = decodeMessage(R"({"event":"metrics","point":{"step":4,"time":2,"loss":1.5,"new":1}})");
    ASSERT_TRUE(older) << older.error().message;
    const auto known = std::get<MetricPoint>(std::get<ControlEvent>(*older));
    EXPECT_EQ(known.step, 4);
    EXPECT_EQ(known.loss, 1.5);
    EXPECT_TRUE(std::isnan(known.rssBytes));
}

TEST(Protocol, spansKeepEveryField)
{
    SpansEvent event { 5, {} };
    for (int kind = 0; kind <= int(ActionKind::AllReduce); ++kind)
        event.spans.push_back({ 0.25 * kind, 0.25 * kind + 1.0 / 7, 40 + kind, 5, kind - 1,
            std::int16_t(kind), std::int16_t(3 - kind % 4), static_cast<ActionKind>(kind),
            std::uint8_t(kind % 3), static_cast<Cargo>(kind % 3) });
    const auto back = decoded<SpansEvent>(event);
    EXPECT_EQ(back.batch, 5);
    EXPECT_EQ(back.spans, event.spans);
}

TEST(Protocol, logAndEndKeepTextOfAnyKind)
{
    const std::string text = "line one\nline \"two\" — é";
    EXPECT_EQ(decoded<LogLine>(LogLine { 1.5, "warning", text }).text, text);
    const auto ended = decoded<EndedEvent>(EndedEvent { RunState::Failed, text });
    EXPECT_EQ(ended.state, RunState::Failed);
    EXPECT_EQ(ended.message, text);
    // Bytes that are no UTF-8 must not break the line.
    EXPECT_NO_THROW(decoded<LogLine>(LogLine { 0, "info", "\xff\xfe" }));
}

TEST(Protocol, malformedEventsAreErrors)
{
    for (const char* line :
        { "{\"event\":\"spans\",\"batch\":1}", "{\"event\":\"spans\",\"spans\":[[1,2]]}",
            "{\"event\":\"spans\",\"spans\":[[0,0,0,99,0,0,0,0.0,1.0]]}",
            "{\"event\":\"spans\",\"spans\":[[0,0,0,0,\"a\",0,0,0.0,1.0]]}",
            "{\"event\":\"ended\",\"state\":\"exploded\"}", "{\"event\":\"news\"}", "{\"event\":1}",
            "{}", "{\"a\":", "" })
        EXPECT_FALSE(decodeMessage(line)) << line;
    EXPECT_FALSE(replyStatus(Json { { "ok", "yes" } }));
}

TEST(LineBuffer, cutsTheStreamWhereverItIsSplit)
{
    const std::string stream = "alpha\n\nbeta\ngamma";
    for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
        LineBuffer buffer;
        ASSERT_TRUE(buffer.feed(stream.substr(0, cut)));
        ASSERT_TRUE(buffer.feed(stream.substr(cut)));
        EXPECT_EQ(buffer.next(), "alpha");
        EXPECT_EQ(buffer.next(), "");
        EXPECT_EQ(buffer.next(), "beta");
        EXPECT_EQ(buffer.next(), std::nullopt) << "gamma is not ended yet";
        ASSERT_TRUE(buffer.feed("\n"));
        EXPECT_EQ(buffer.next(), "gamma");
    }
}

TEST(LineBuffer, refusesALineAboveTheLimit)
{
    LineBuffer buffer(8);
    EXPECT_TRUE(buffer.feed("12345678\n"));
    EXPECT_TRUE(buffer.feed("1234"));
    EXPECT_FALSE(buffer.feed("56789"));
    LineBuffer ended(8);
    EXPECT_FALSE(ended.feed("123456789\nok\n"));
}

} // namespace stageloom
