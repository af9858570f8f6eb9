// SPDX-License-Identifier: Apache-2.0
#include "core/store/store_writer.h"
#include "core/base/units.h"
#include "core/store/write_target.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace stageloom {

namespace {

constexpr std::size_t kMaxBatch = 256; // jobs a transaction
constexpr auto kFlushTimeout = std::chrono::seconds(60);

std::string lookAt(const std::filesystem::path& file)
{
    return fmt::format("look at it with `stageloom --store {} runs list`", file.string());
}

} // namespace

struct StoreWriter::State {
    State(WriteTarget opened, const Options& given)
        : target(std::move(opened))
        , options(given)
        , pause(given.firstRetry)
        , queue(given.maxDroppable)
    {
    }

    // The writing thread's.
    WriteTarget target;
    const Options options;
    std::chrono::milliseconds pause;
    bool failing = false;
    bool toldRefused = false;
    std::uint64_t droppedBefore = 0; // when it last worked

    std::mutex listenerMutex; // held while the listener runs
    Listener listener;

    mutable std::mutex mutex; // guards all below
    std::condition_variable posted, done, retry;
    WriteQueue queue;
    std::optional<SparePlace> spare; // until the thread has taken it over
    std::uint64_t postedCount = 0, doneCount = 0;
    Status firstError;
    std::string movedText; // once the spare store is in use
    bool stopping = false, givingUp = false;
    std::thread thread;

    void run();
    bool waitForWork();
    std::vector<WriteJob> take();
    void writeSome();
    void written(std::vector<WriteJob> batch, const Status& job);
    void failed(std::vector<WriteJob> batch, const Error& error);
    void lost(std::vector<WriteJob> batch, const Error& error);
    bool move(const std::string& why);
    void waitToRetry();
    void tell(StoreNotice::Kind kind, std::string text);
    void post(WriteJob job);
};

void StoreWriter::State::tell(StoreNotice::Kind kind, std::string text)
{
    const std::lock_guard lock(listenerMutex);
    if (listener)
        listener({ kind, std::move(text) });
}

bool StoreWriter::State::waitForWork()
{
    std::unique_lock lock(mutex);
    posted.wait_for(lock, options.look, [this] { return stopping || !queue.empty(); });
    return !stopping || !queue.empty();
}

std::vector<WriteJob> StoreWriter::State::take()
{
    const std::lock_guard lock(mutex);
    if (spare)
        target.setSpare(*std::exchange(spare, std::nullopt));
    return queue.take(kMaxBatch);
}

void StoreWriter::State::run()
{
    while (waitForWork())
        writeSome();
}

void StoreWriter::State::writeSome()
{
    std::vector<WriteJob> batch = take();
    if (target.canMove() && target.gone())
        static_cast<void>(move(fmt::format("The run store {} was removed or replaced while the run "
                                           "went on",
            target.file().string())));
    if (batch.empty())
        return;
    const WriteTarget::Written result = target.write(batch);
    if (result.store)
        written(std::move(batch), result.job);
    else
        failed(std::move(batch), result.store.error());
}

void StoreWriter::State::written(std::vector<WriteJob> batch, const Status& job)
{
    const std::size_t count = batch.size();
    batch.clear(); // what the jobs hold is let go outside the lock
    std::uint64_t dropped = 0;
    {
        const std::lock_guard lock(mutex);
        if (!job && firstError)
            firstError = job;
        dropped = queue.dropped() - std::exchange(droppedBefore, queue.dropped());
    }
    pause = options.firstRetry;
    if (!job && !std::exchange(toldRefused, true))
        tell(StoreNotice::Kind::Refused,
            fmt::format("A part of what the run measured is not kept: {}.", job.error().message));
    if (std::exchange(failing, false))
        tell(StoreNotice::Kind::Recovered,
            fmt::format("The run store {} can be written again, and what had waited is saved{}.",
                target.file().string(),
                dropped > 0 ? fmt::format(", but {} spans of the timeline that were given up",
                    groupDigits(std::int64_t(dropped)))
                            : ""));
    const std::lock_guard lock(mutex); // last: whoever waits has heard the notices
    doneCount += count;
    done.notify_all();
}

void StoreWriter::State::failed(std::vector<WriteJob> batch, const Error& error)
{
    bool last = false;
    {
        const std::lock_guard lock(mutex);
        last = stopping || givingUp;
    }
    const bool damaged = error.kind == ErrorKind::Invalid;
    if (target.canMove() && (last || damaged)
        && move(fmt::format("The run could not be saved to its end: {}", error.message))) {
        const std::lock_guard lock(mutex);
        queue.putBack(std::move(batch));
        return;
    }
    if (last)
        return lost(std::move(batch), error);
    {
        const std::lock_guard lock(mutex);
        queue.putBack(std::move(batch));
    }
    if (!std::exchange(failing, true))
        tell(StoreNotice::Kind::Failing,
            fmt::format("Nothing of the run can be saved now: {}. What it measures waits in memory "
                        "and is saved as soon as that is mended; training goes on.",
                error.message));
    waitToRetry();
}

void StoreWriter::State::lost(std::vector<WriteJob> batch, const Error& error)
{
    const std::size_t count = batch.size();
    batch.clear();
    const std::lock_guard lock(mutex);
    if (firstError)
        firstError = tl::unexpected<Error>(error);
    doneCount += count;
    done.notify_all();
}

bool StoreWriter::State::move(const std::string& why)
{
    const Status moved = target.move();
    if (!moved) {
        if (!std::exchange(toldRefused, true))
            tell(StoreNotice::Kind::Refused,
                fmt::format(
                    "{}, and no other place takes the run: {}.", why, moved.error().message));
        return false;
    }
    const std::string text = fmt::format(
        "{}. The run is kept in {}; {}.", why, target.file().string(), lookAt(target.file()));
    {
        const std::lock_guard lock(mutex);
        movedText = text;
    }
    failing = false;
    tell(StoreNotice::Kind::Moved, text);
    return true;
}

void StoreWriter::State::waitToRetry()
{
    std::unique_lock lock(mutex);
    retry.wait_for(lock, pause, [this] { return stopping || givingUp; });
    pause = std::min(pause * 2, options.longestRetry);
}

void StoreWriter::State::post(WriteJob job)
{
    {
        const std::lock_guard lock(mutex);
        queue.push(std::move(job));
        ++postedCount;
    }
    posted.notify_one();
}

StoreWriter::StoreWriter() = default;

Result<std::unique_ptr<StoreWriter>> StoreWriter::start(
    const std::filesystem::path& file, const Options& options)
{
    Result<WriteTarget> target = WriteTarget::open(file);
    if (!target)
        return failure(target);
    target->setBusyTimeout(int(options.busyTimeout.count()));
    std::unique_ptr<StoreWriter> writer(new StoreWriter);
    writer->m_state = std::make_unique<State>(std::move(*target), options);
    State& state = *writer->m_state;
    state.thread = std::thread([&state] { state.run(); });
    return writer;
}

StoreWriter::~StoreWriter()
{
    if (!m_state)
        return;
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->stopping = true;
    }
    m_state->posted.notify_all();
    m_state->retry.notify_all();
    m_state->thread.join();
}

void StoreWriter::listen(Listener listener)
{
    const std::lock_guard lock(m_state->listenerMutex);
    m_state->listener = std::move(listener);
}

void StoreWriter::setSpare(SparePlace place)
{
    const std::lock_guard lock(m_state->mutex);
    m_state->spare = std::move(place);
}

void StoreWriter::post(Job job)
{
    m_state->post({ std::move(job), 0 });
}

void StoreWriter::postDroppable(Job job, std::size_t items)
{
    m_state->post({ std::move(job), items });
}

std::uint64_t StoreWriter::droppedItems() const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->queue.dropped();
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

Status StoreWriter::settle(std::chrono::milliseconds limit)
{
    {
        std::unique_lock lock(m_state->mutex);
        const std::uint64_t target = m_state->postedCount;
        m_state->givingUp
            = !m_state->done.wait_for(lock, limit, [&] { return m_state->doneCount >= target; });
    }
    m_state->retry.notify_all();
    const Status flushed = flush();
    const std::lock_guard lock(m_state->mutex);
    if (!m_state->movedText.empty())
        return fail(ErrorKind::Io, "{}", m_state->movedText);
    return flushed;
}

} // namespace stageloom
