// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/run_log.h"

#include <cstdio>

namespace stageloom::engine {

RunLog::RunLog(RunId run, StoreWriter& store, ControlServer& server)
    : m_run(run)
    , m_store(store)
    , m_server(server)
{
    m_store.listen([this](const StoreNotice& notice) {
        write(notice.kind == StoreNotice::Kind::Recovered ? "notice" : "warning", notice.text);
    });
}

RunLog::~RunLog()
{
    m_store.listen({});
}

double RunLog::seconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
}

void RunLog::write(const std::string& level, const std::string& text)
{
    LogLine line { seconds(), level, text };
    m_store.post([run = m_run, line](
                     Database& database) { return RunStore(database).appendLog(run, line); });
    // A full disk costs this line and no more: fmt::print would throw, on the store's own thread
    // too.
    static_cast<void>(std::fputs(fmt::format("{}: {}\n", level, text).c_str(), stderr));
    m_server.broadcast(std::move(line));
}

} // namespace stageloom::engine
