// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QtConcurrentRun>
#include <functional>
#include <utility>

namespace stageloom {

// Runs work in the thread pool and gives its result back on the owner's thread. Every start has a
// number: the result of a start that a newer one has overtaken is dropped. Inputs are copied into
// `work`, so it never touches the owner.
template <typename T> class LatestJob {
public:
    explicit LatestJob(QObject* owner)
        : m_owner(owner)
    {
    }
    // Called on the owner's thread whenever running() becomes another.
    std::function<void()> runningChanged;

    template <typename Work, typename Done> void start(Work work, Done done)
    {
        const int number = ++m_number;
        setFinished(false);
        auto* watcher = new QFutureWatcher<T>(m_owner);
        QObject::connect(watcher, &QFutureWatcherBase::finished, m_owner,
            [this, watcher, number, done = std::move(done)]() mutable {
                watcher->deleteLater();
                if (number != m_number)
                    return;
                setFinished(true);
                done(watcher->future().takeResult());
            });
        watcher->setFuture(QtConcurrent::run(std::move(work)));
    }
    void drop()
    {
        ++m_number;
        setFinished(true);
    }
    [[nodiscard]] bool running() const { return !m_finished; }

private:
    void setFinished(bool finished)
    {
        if (std::exchange(m_finished, finished) != finished && runningChanged)
            runningChanged();
    }
    QObject* m_owner;
    int m_number = 0;
    bool m_finished = true;
};

} // namespace stageloom
