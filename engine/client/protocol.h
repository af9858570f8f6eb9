// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/sim/trace.h"
#include "core/store/metric_store.h"
#include "core/store/run_store.h"
#include "engine/client/run_control.h"
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace stageloom {

// The control channel between a client and a running engine: JSON objects, one a line, on a Unix
// socket. A client sends commands, each is answered by one reply in order; after `subscribe` events
// arrive between the replies. A reply has the key "ok", an event the key "event".

// Spans since the last such event, of one or more batches; `batch`: the first one's.
struct SpansEvent {
    int batch = 0;
    std::vector<Span> spans;
};
struct EndedEvent {
    RunState state = RunState::Finished;
    std::string message; // last words of a failed run
};
using ControlEvent = std::variant<MetricPoint, SpansEvent, LogLine, RunStatus, EndedEvent>;

// Encoders give one line with its newline; decoders take it without. NaN travels as null.
std::string encodeCommand(ControlCommand command);
Result<ControlCommand> decodeCommand(const std::string& line);
std::string encodeReply(const Status& status);
std::string encodeReply(const RunStatus& status);
std::string encodeEvent(const ControlEvent& event);

// One line from the engine, told apart.
using ControlMessage = std::variant<Json, ControlEvent>; // Json: a reply, as it came
Result<ControlMessage> decodeMessage(const std::string& line);
Status replyStatus(const Json& reply); // the error the engine answered with
Result<RunStatus> replyRunStatus(const Json& reply);

Result<RunState> runStateFromString(const std::string& word);

// Cuts a byte stream into lines. A line above the limit is an error: the peer does not speak this.
class LineBuffer {
public:
    static constexpr std::size_t kMaxLine = 64u << 20;
    explicit LineBuffer(std::size_t maxLine = kMaxLine)
        : m_maxLine(maxLine)
    {
    }
    Status feed(std::string_view bytes);
    std::optional<std::string> next();

private:
    std::size_t m_maxLine;
    std::string m_partial;
    std::deque<std::string> m_lines;
};

} // namespace stageloom
