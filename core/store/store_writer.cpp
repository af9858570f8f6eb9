// SPDX-License-Identifier: Apache-2.0
#include "core/store/store_writer.h"
#include "core/store/sql.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace stageloom {

namespace {

constexpr std::size_t kMaxBatch = 256; // jobs a transaction
constexpr int kBeginAttempts = 3; // each waits busy_timeout
constexpr auto kFlushTimeout = std::chrono::seconds(60);
using Job = StoreWriter::Job;

// One job in a savepoint of its own: its failure takes nothing of the others with it.
Status runJob(Database& database, const Job& job)
{
    try {
        return sql::write(database, [&]() -> Status { return job(database); });
    } catch (const std::exception& error) {
        return fail(ErrorKind::Internal, "writing to the run store failed: {}", error.what());
    }
}

Status runBatch(Database& database, const std::deque<Job>& jobs)
{
    Status first;
    const Status whole = sql::write(database, [&]() -> Status {
        for (const Job& job : jobs) {
            const Status status = runJob(database, job);
            if (!status && first)
                first = status;
        }
        return {};
    });
    return whole ? first : whole;
}

} // namespace

struct StoreWriter::State {
    std::optional<Database> database; // the writing thread's
    std::mutex mutex; // guards all below
    std::condition_variable posted, done;
    std::deque<Job> jobs;
    std::uint64_t postedCount = 0, doneCount = 0;
    Status firstError;
    bool stopping = false;
    std::thread thread;

    void run();
    Status writeBatch(const std::deque<Job>& batch);
};

Status StoreWriter::State::writeBatch(const std::deque<Job>& batch)
{
    Status status;
    for (int attempt = 0; attempt < kBeginAttempts; ++attempt) {
        status = runBatch(*database, batch);
        if (status || status.error().kind != ErrorKind::Busy)
            break;
    }
    return status;
}

void StoreWriter::State::run()
{
    std::unique_lock lock(mutex);
    for (;;) {
        posted.wait(lock, [this] { return stopping || !jobs.empty(); });
        if (jobs.empty())
            return;
        std::deque<Job> batch;
        while (!jobs.empty() && batch.size() < kMaxBatch) {
            batch.push_back(std::move(jobs.front()));
            jobs.pop_front();
        }
        lock.unlock();
        const Status status = writeBatch(batch);
        const std::size_t count = batch.size();
        batch.clear(); // what the jobs hold is let go outside the lock
        lock.lock();
        doneCount += count;
        if (!status && firstError)
            firstError = status;
        done.notify_all();
    }
}

StoreWriter::StoreWriter()
    : m_state(std::make_unique<State>())
{
}

Result<std::unique_ptr<StoreWriter>> StoreWriter::start(const std::filesystem::path& file)
{
    Result<Database> database = Database::open(file);
    if (!database)
        return failure(database);
    std::unique_ptr<StoreWriter> writer(new StoreWriter);
    State& state = *writer->m_state;
    state.database.emplace(std::move(*database));
    state.thread = std::thread([&state] { state.run(); });
    return writer;
}

StoreWriter::~StoreWriter()
{
    if (!m_state->thread.joinable())
        return;
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->stopping = true;
    }
    m_state->posted.notify_all();
    m_state->thread.join();
}

void StoreWriter::post(Job job)
{
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->jobs.push_back(std::move(job));
        ++m_state->postedCount;
    }
    m_state->posted.notify_one();
}

Status StoreWriter::flush()
{
    std::unique_lock lock(m_state->mutex);
    const std::uint64_t target = m_state->postedCount;
    if (!m_state->done.wait_for(lock, kFlushTimeout, [&] { return m_state->doneCount >= target; }))
        return fail(ErrorKind::Timeout,
            "the run store took longer than {} s to write what was posted", kFlushTimeout.count());
    return std::exchange(m_state->firstError, Status {});
}

} // namespace stageloom
