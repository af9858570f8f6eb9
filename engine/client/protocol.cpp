// SPDX-License-Identifier: Apache-2.0
#include "engine/client/protocol.h"
#include "core/base/text.h"

#include <array>
#include <cmath>
#include <limits>

namespace stageloom {

namespace {

constexpr std::array<const char*, 7> kCommandWords
    = { "query", "pause", "resume", "checkpoint", "stop_after_batch", "stop_now", "subscribe" };

std::string line(const Json& value)
{
    return jsonLine(value) + "\n";
}

// The object of a line; what is wrong otherwise. Only the start of a long line is shown.
Result<Json> objectOf(const std::string& text)
{
    Json value = Json::parse(text, nullptr, false);
    if (!value.is_object())
        return fail(ErrorKind::Invalid,
            "the control channel brought something that is no JSON object: '{}'", shortened(text));
    return value;
}

double number(const Json& object, const char* key)
{
    const auto at = object.find(key);
    return at != object.end() && at->is_number() ? at->get<double>()
                                                 : std::numeric_limits<double>::quiet_NaN();
}

// A whole number; 0 where it is missing or none.
std::int64_t whole(const Json& object, const char* key)
{
    const auto at = object.find(key);
    return at != object.end() && at->is_number_integer() ? at->get<std::int64_t>() : 0;
}

std::string word(const Json& object, const char* key)
{
    const auto at = object.find(key);
    return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

Json toWire(const RunStatus& s)
{
    return { { "phase", s.phase }, { "step", s.step }, { "steps", s.steps }, { "loss", s.loss },
        { "tokens_per_second", s.tokensPerSecond }, { "seconds_left", s.secondsLeft },
        { "pid", s.pid } };
}

RunStatus statusFromWire(const Json& wire)
{
    RunStatus s;
    s.phase = word(wire, "phase");
    s.step = whole(wire, "step");
    s.steps = whole(wire, "steps");
    s.loss = number(wire, "loss");
    s.tokensPerSecond = number(wire, "tokens_per_second");
    s.secondsLeft = number(wire, "seconds_left");
    s.pid = int(whole(wire, "pid"));
    return s;
}

// [device, stage, chunk and cargo, kind, batch, microbatch, version, start, end]
Json toWire(const Span& s)
{
    return Json::array({ s.device, s.stage, chunkAndCargo(s), int(s.kind), s.batch, s.microbatch,
        s.version, s.start, s.end });
}

std::optional<Span> spanFromWire(const Json& wire)
{
    constexpr std::size_t kFields = 9;
    if (!wire.is_array() || wire.size() != kFields)
        return std::nullopt;
    for (std::size_t i = 0; i < kFields; ++i)
        if (i < 7 ? !wire[i].is_number_integer() : !wire[i].is_number())
            return std::nullopt;
    const auto kind = wire[3].get<int>();
    if (kind < 0 || kind > int(ActionKind::AllReduce))
        return std::nullopt;
    Span s;
    s.device = wire[0].get<std::int16_t>();
    s.stage = wire[1].get<std::int16_t>();
    setChunkAndCargo(s, wire[2].get<std::int64_t>());
    s.kind = static_cast<ActionKind>(kind);
    s.batch = wire[4].get<std::int32_t>();
    s.microbatch = wire[5].get<std::int32_t>();
    s.version = wire[6].get<std::int32_t>();
    s.start = wire[7].get<double>();
    s.end = wire[8].get<double>();
    return s;
}

struct EventEncoder {
    Json operator()(const MetricPoint& p) const
    {
        return { { "event", "metrics" }, { "point", toJson(p) } };
    }
    Json operator()(const SpansEvent& e) const
    {
        Json spans = Json::array();
        for (const Span& s : e.spans)
            spans.push_back(toWire(s));
        return { { "event", "spans" }, { "batch", e.batch }, { "spans", std::move(spans) } };
    }
    Json operator()(const LogLine& l) const
    {
        return { { "event", "log" }, { "time", l.time }, { "level", l.level }, { "text", l.text } };
    }
    Json operator()(const RunStatus& s) const
    {
        return { { "event", "status" }, { "status", toWire(s) } };
    }
    Json operator()(const EndedEvent& e) const
    {
        return { { "event", "ended" }, { "state", toString(e.state) }, { "message", e.message } };
    }
};

const Json& member(const Json& object, const char* key)
{
    static const Json kNone = Json::object();
    const auto at = object.find(key);
    return at != object.end() && at->is_object() ? *at : kNone;
}

Result<ControlEvent> spansEvent(const Json& object)
{
    SpansEvent event;
    event.batch = int(whole(object, "batch"));
    const auto spans = object.find("spans");
    if (spans == object.end() || !spans->is_array())
        return fail(
            ErrorKind::Invalid, "a spans event of batch {} came without its spans", event.batch);
    event.spans.reserve(spans->size());
    for (const Json& wire : *spans) {
        const std::optional<Span> span = spanFromWire(wire);
        if (!span)
            return fail(ErrorKind::Invalid, "a span of batch {} has the wrong form: {}",
                event.batch, shown(wire));
        event.spans.push_back(*span);
    }
    return event;
}

Result<ControlEvent> eventOf(const Json& object)
{
    const std::string kind = word(object, "event");
    if (kind == "metrics")
        return metricPointFromJson(member(object, "point"));
    if (kind == "status")
        return statusFromWire(member(object, "status"));
    if (kind == "log")
        return LogLine { number(object, "time"), word(object, "level"), word(object, "text") };
    if (kind == "spans")
        return spansEvent(object);
    if (kind == "ended") {
        const Result<RunState> state = runStateFromString(word(object, "state"));
        if (!state)
            return failure(state);
        return EndedEvent { *state, word(object, "message") };
    }
    return fail(ErrorKind::Unsupported,
        "the engine sent an event '{}' that this build does not know", kind);
}

} // namespace

const char* toString(ControlCommand command)
{
    return kCommandWords[std::size_t(command)];
}

std::string encodeCommand(ControlCommand command)
{
    return line({ { "command", toString(command) } });
}

Result<ControlCommand> decodeCommand(const std::string& text)
{
    const Result<Json> object = objectOf(text);
    if (!object)
        return failure(object);
    const std::string name = word(*object, "command");
    for (std::size_t i = 0; i < kCommandWords.size(); ++i)
        if (name == kCommandWords[i])
            return static_cast<ControlCommand>(i);
    return fail(ErrorKind::Unsupported, "this engine knows no command '{}'", shortened(name));
}

std::string encodeReply(const Status& status)
{
    if (status)
        return line({ { "ok", true } });
    return line({ { "ok", false }, { "error", status.error().message } });
}

std::string encodeReply(const RunStatus& status)
{
    return line({ { "ok", true }, { "status", toWire(status) } });
}

std::string encodeEvent(const ControlEvent& event)
{
    return line(std::visit(EventEncoder {}, event));
}

Result<ControlMessage> decodeMessage(const std::string& text)
{
    try {
        Result<Json> object = objectOf(text);
        if (!object)
            return failure(object);
        if (!object->contains("event")) {
            if (!object->contains("ok"))
                return fail(ErrorKind::Invalid,
                    "the engine sent neither a reply nor an event: '{}'", shortened(text));
            return ControlMessage(std::move(*object));
        }
        Result<ControlEvent> event = eventOf(*object);
        if (!event)
            return failure(event);
        return ControlMessage(std::move(*event));
    } catch (const Json::exception& error) { // a number out of its type's range
        return fail(
            ErrorKind::Invalid, "the engine sent a message with a wrong value: {}", error.what());
    }
}

Status replyStatus(const Json& reply)
{
    const auto ok = reply.find("ok");
    if (ok != reply.end() && ok->is_boolean() && ok->get<bool>())
        return {};
    const std::string message = word(reply, "error");
    return fail(ErrorKind::Invalid, "{}",
        message.empty() ? "the engine refused without a reason" : message);
}

Result<RunStatus> replyRunStatus(const Json& reply)
{
    if (const Status status = replyStatus(reply); !status)
        return failure(status);
    return statusFromWire(member(reply, "status"));
}

Result<RunState> runStateFromString(const std::string& name)
{
    for (const RunState state : { RunState::Running, RunState::Finished, RunState::Stopped,
             RunState::Failed, RunState::Lost })
        if (name == toString(state))
            return state;
    return fail(ErrorKind::Invalid, "'{}' is no state of a run", name);
}

Status LineBuffer::feed(std::string_view bytes)
{
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos;
         end = bytes.find('\n')) {
        m_partial.append(bytes.substr(0, end));
        bytes.remove_prefix(end + 1);
        if (m_partial.size() > m_maxLine)
            break;
        m_lines.push_back(std::exchange(m_partial, {}));
    }
    m_partial.append(bytes);
    if (m_partial.size() <= m_maxLine)
        return {};
    m_partial.clear();
    return fail(
        ErrorKind::Invalid, "the control channel brought a line of more than {} bytes", m_maxLine);
}

std::optional<std::string> LineBuffer::next()
{
    if (m_lines.empty())
        return std::nullopt;
    std::string first = std::move(m_lines.front());
    m_lines.pop_front();
    return first;
}

} // namespace stageloom
