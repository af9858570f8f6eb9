// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store_writer.h"
#include "engine/control/control_server.h"

namespace stageloom::engine {

// After the run's end: how long the store is tried before what it has not taken is kept beside the
// run.
inline constexpr std::chrono::seconds kSettleLimit { 30 };

// The run's log: a row of the store, a line in engine.log, an event for who watches. It also tells
// what happens to the store itself. Any thread.
class RunLog {
public:
    RunLog(RunId run, StoreWriter& store, ControlServer& server);
    ~RunLog();
    void write(const std::string& level, const std::string& text); // "info", "notice", "warning", …
    [[nodiscard]] double seconds() const; // since the start

private:
    const RunId m_run;
    StoreWriter& m_store;
    ControlServer& m_server;
    const std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

} // namespace stageloom::engine
