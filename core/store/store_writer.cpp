// SPDX-License-Identifier: Apache-2.0
#include "core/store/store_writer.h"
#include "core/base/units.h"
#include "core/store/write_target.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
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
        , file(target.file())
        , pause(given.firstRetry)
        , queue(given.maxDroppable)
    {
    }

    // The writing thread's.
    WriteTarget target;
    const Options options;
    const std::filesystem::path file; // of the run store
    std::vector<WriteJob> inHand; // taken, and neither written nor put back
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
    void survive(const char* reason);
    void written(const Status& job);
    void failed(const Error& error);
    void lost(const Error& error);
    void putBack();
    void keepError(const Error& error);
    bool move(const std::string& why);
    void waitToRetry();
    void tell(StoreNotice::Kind kind, std::string text);
    void post(WriteJob job);
};

// Nothing that a listener throws may end the thread, or keep a batch from being counted.
void StoreWriter::State::tell(StoreNotice::Kind kind, std::string text)
{
    const std::lock_guard lock(listenerMutex);
    try {
        if (listener)
            listener({ kind, std::move(text) });
    } catch (const std::exception& error) {
        keepError({ ErrorKind::Internal,
            fmt::format("what the run store has to say could not be told: {}", error.what()) });
    } catch (...) {
        keepError({ ErrorKind::Internal, "what the run store has to say could not be told" });
    }
}

void StoreWriter::State::keepError(const Error& error)
{
    const std::lock_guard lock(mutex);
    if (firstError)
        firstError = tl::unexpected<Error>(error);
}

bool StoreWriter::State::waitForWork()
{
    std::unique_lock lock(mutex);
    posted.wait_for(
        lock, options.look, [this] { return stopping || !queue.empty() || !inHand.empty(); });
    return !stopping || !queue.empty() || !inHand.empty();
}

std::vector<WriteJob> StoreWriter::State::take()
{
    const std::lock_guard lock(mutex);
    if (spare)
        target.setSpare(*std::exchange(spare, std::nullopt));
    return queue.take(kMaxBatch);
}

// No exception leaves this thread: what was taken is tried again, or goes into the spare store.
void StoreWriter::State::run()
{
    for (;;) {
        try {
            if (!waitForWork())
                return;
            writeSome();
        } catch (const std::exception& error) {
            survive(error.what());
        } catch (...) {
            survive("the reason is not known");
        }
    }
}

void StoreWriter::State::survive(const char* reason)
{
    try {
        failed({ ErrorKind::Io, reason });
    } catch (...) { // no memory even for the sentence: what is in hand stays there
        waitToRetry();
    }
}

void StoreWriter::State::writeSome()
{
    if (inHand.empty())
        inHand = take();
    if (target.canMove() && target.gone())
        static_cast<void>(move(fmt::format("The run store {} was removed or replaced while the run "
                                           "went on",
            target.file().string())));
    if (inHand.empty())
        return;
    const WriteTarget::Written result = target.write(inHand);
    if (result.store)
        written(result.job);
    else
        failed(result.store.error());
}

void StoreWriter::State::written(const Status& job)
{
    const std::size_t count = inHand.size();
    inHand.clear(); // first: whatever fails now, nothing is written twice
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

void StoreWriter::State::putBack()
{
    const std::lock_guard lock(mutex);
    queue.putBack(std::exchange(inHand, {}));
}

void StoreWriter::State::failed(const Error& error)
{
    bool last = false;
    {
        const std::lock_guard lock(mutex);
        last = stopping || givingUp;
    }
    const bool damaged = error.kind == ErrorKind::Invalid;
    if (target.canMove() && (last || damaged)
        && move(fmt::format("The run could not be saved to its end: {}", error.message)))
        return putBack();
    if (last)
        return lost(error);
    putBack();
    if (!std::exchange(failing, true))
        tell(StoreNotice::Kind::Failing,
            fmt::format("Nothing of the run can be saved now: {}. What it measures waits in memory "
                        "and is saved as soon as that is mended; training goes on.",
                error.message));
    waitToRetry();
}

void StoreWriter::State::lost(const Error& error)
{
    const std::size_t count = inHand.size();
    inHand.clear();
    keepError(error);
    const std::lock_guard lock(mutex);
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
    try {
        state.thread = std::thread([&state] { state.run(); });
    } catch (const std::system_error& error) {
        return fail(ErrorKind::Io, "cannot start the thread that writes the run store {}: {}",
            file.string(), error.what());
    }
    return writer;
}

StoreWriter::~StoreWriter()
{
    if (!m_state || !m_state->thread.joinable())
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
    {
        const std::lock_guard lock(m_state->mutex);
        if (!m_state->movedText.empty())
            return fail(ErrorKind::Io, "{}", m_state->movedText);
    }
    // The run is on disk already: this only makes a copy of the one file whole.
    if (flushed)
        if (Result<Database> database = Database::open(m_state->file))
            static_cast<void>(database->mergeLog());
    return flushed;
}

} // namespace stageloom
