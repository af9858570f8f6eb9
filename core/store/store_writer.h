// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/spare_store.h"
#include "core/store/write_queue.h"
#include <chrono>
#include <memory>

namespace stageloom {

// What the writing thread says about its store, one sentence for a person.
struct StoreNotice {
    enum class Kind {
        Failing, // nothing can be written now; jobs wait and are tried again
        Recovered, // what had waited is written
        Moved, // everything goes into a spare store from now on
        Refused, // one job failed for good
    };
    Kind kind = Kind::Failing;
    std::string text;
};

// The one writing thread of a process. Jobs run in order, several in one BEGIN IMMEDIATE
// transaction. While the store takes nothing (disk full, locked, read-only) they wait in memory and
// are tried again, less and less often; a store whose file is removed, replaced or damaged is left
// for a spare one, where one is named.
class StoreWriter {
public:
    using Job = std::function<Status(Database&)>;
    using Listener = std::function<void(const StoreNotice&)>;
    struct Options {
        std::size_t maxDroppable = 1'000'000; // items that wait
        std::chrono::milliseconds firstRetry { 250 }, longestRetry { 5000 };
        std::chrono::milliseconds busyTimeout { 5000 }; // of one try
        std::chrono::milliseconds look { 2000 }; // how often an idle writer looks for its file
    };
    static Result<std::unique_ptr<StoreWriter>> start(const std::filesystem::path& file)
    {
        return start(file, Options {});
    }
    static Result<std::unique_ptr<StoreWriter>> start(
        const std::filesystem::path& file, const Options& options);
    ~StoreWriter(); // writes what waits; tries once where the store takes nothing

    // Called on the writing thread, one at a time; it may post. Once this returns, the listener
    // before it is called no more.
    void listen(Listener listener);
    void setSpare(SparePlace place);

    void post(Job job); // any thread, never blocks on the disk
    // The same for a job of which the oldest may be given up while the store takes nothing.
    void postDroppable(Job job, std::size_t items);
    [[nodiscard]] std::uint64_t droppedItems() const; // any thread
    // Waits until everything posted is committed; the first error since the last flush.
    Status flush();
    // The last flush: what the store has not taken within `limit` goes into the spare store. An
    // error says what is not in the store, and where it is.
    Status settle(std::chrono::milliseconds limit);

private:
    StoreWriter();
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace stageloom
