// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QPromise>
#include <QtConcurrentRun>
#include <functional>
#include <type_traits>
#include <utility>

namespace stageloom {

// How far work is: `value` of `most`, and what it does, in words. `most` 0: it does not say.
struct JobProgress {
    int value = 0, most = 0;
    QString words;
};

// Runs work in the thread pool and gives its result back on the owner's thread. Every start has a
// number: the result of a start that a newer one has overtaken is dropped. Inputs are copied into
// `work`, so it never touches the owner.
//
// Work that takes a QPromise<T>& may report to it (setProgressRange, setProgressValueAndText) and
// has to stop soon once promise.isCanceled(): when it is overtaken, dropped, or its owner goes. It
// returns its result, or adds it to the promise. Work without one always runs to its end.
template <typename T> class LatestJob {
public:
    explicit LatestJob(QObject* owner, QThreadPool* pool = nullptr)
        : m_owner(owner)
        , m_pool(pool != nullptr ? pool : QThreadPool::globalInstance())
    {
    }
    ~LatestJob() { stop(); }
    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;

    // Called on the owner's thread whenever running() or progress() becomes another.
    std::function<void()> runningChanged, progressChanged;

    template <typename Work, typename Done> void start(Work work, Done done)
    {
        stop();
        const int number = ++m_number;
        setFinished(false);
        auto* watcher = new QFutureWatcher<T>(m_owner);
        const auto moved = [this, number] {
            if (number == m_number && progressChanged)
                progressChanged();
        };
        QObject::connect(watcher, &QFutureWatcherBase::progressValueChanged, m_owner, moved);
        QObject::connect(watcher, &QFutureWatcherBase::progressTextChanged, m_owner, moved);
        QObject::connect(watcher, &QFutureWatcherBase::finished, m_owner,
            [this, watcher, number, done = std::move(done)]() mutable {
                watcher->deleteLater();
                QFuture<T> future = watcher->future();
                if (number != m_number)
                    return;
                m_future = {};
                setFinished(true);
                if (future.resultCount() > 0) // none: work that took the promise gave none
                    done(future.takeResult());
            });
        constexpr bool kObeys = std::is_invocable_v<Work&, QPromise<T>&>;
        auto run = [work = std::move(work)](QPromise<T>& promise) mutable {
            if constexpr (!kObeys)
                promise.addResult(work());
            else if constexpr (std::is_void_v<std::invoke_result_t<Work&, QPromise<T>&>>)
                work(promise);
            else
                promise.addResult(work(promise));
        };
        const QFuture<T> future = QtConcurrent::run(m_pool, std::move(run));
        if (kObeys)
            m_future = future; // only this kind is cancelled
        m_latest = future;
        watcher->setFuture(future);
    }
    // Nothing comes back any more; work that takes a promise is asked to stop.
    void drop()
    {
        stop();
        ++m_number;
        setFinished(true);
    }
    [[nodiscard]] bool running() const { return !m_finished; }
    [[nodiscard]] JobProgress progress() const
    {
        if (m_finished)
            return {};
        return { m_latest.progressValue() - m_latest.progressMinimum(),
            m_latest.progressMaximum() - m_latest.progressMinimum(), m_latest.progressText() };
    }

private:
    void stop()
    {
        m_future.cancel();
        m_future = {};
    }
    void setFinished(bool finished)
    {
        if (std::exchange(m_finished, finished) != finished && runningChanged)
            runningChanged();
    }
    QObject* m_owner;
    QThreadPool* m_pool;
    QFuture<T> m_future, m_latest;
    int m_number = 0;
    bool m_finished = true;
};

} // namespace stageloom
