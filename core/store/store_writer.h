// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/database.h"
#include <functional>
#include <memory>

namespace stageloom {

// The one writing thread of a process. Jobs run in order, several in one BEGIN IMMEDIATE
// transaction.
class StoreWriter {
public:
    using Job = std::function<Status(Database&)>;
    static Result<std::unique_ptr<StoreWriter>> start(const std::filesystem::path& file);
    ~StoreWriter(); // flushes

    void post(Job job); // any thread, never blocks on the disk
    Status
    flush(); // waits until everything posted is committed; the first error since the last flush
private:
    StoreWriter();
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace stageloom
