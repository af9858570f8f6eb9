// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inputs/inputs_fixture.h"
#include "ui/state/latest_job.h"

#include <QSemaphore>
#include <QThread>

namespace stageloom {

TEST(LatestJob, dropsTheResultOfAStartThatANewerOneOvertook)
{
    QObject owner;
    LatestJob<int> job(&owner);
    QSemaphore first, second;
    std::vector<int> results;
    const auto keep = [&](int result) { results.push_back(result); };
    job.start([&] { return first.acquire(), 1; }, keep);
    job.start([&] { return second.acquire(), 2; }, keep);
    second.release();
    ASSERT_TRUE(waitFor([&] { return !results.empty(); }));
    first.release(); // late
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    EXPECT_EQ(results, (std::vector<int> { 2 }));
    EXPECT_FALSE(job.running());
}

TEST(LatestJob, givesNothingBackOnceItIsDropped)
{
    QObject owner;
    LatestJob<int> job(&owner);
    bool done = false;
    job.start([] { return 1; }, [&](int) { done = true; });
    job.drop();
    EXPECT_FALSE(job.running());
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    EXPECT_FALSE(done);
}

TEST(LatestJob, worksBesideTheOwnersThreadAndAnswersOnIt)
{
    QObject owner;
    LatestJob<QThread*> job(&owner);
    QThread *worked = nullptr, *answered = nullptr;
    job.start([] { return QThread::currentThread(); },
        [&](QThread* thread) {
            worked = thread;
            answered = QThread::currentThread();
        });
    ASSERT_TRUE(waitFor([&] { return worked != nullptr; }));
    EXPECT_NE(worked, answered);
    EXPECT_EQ(answered, owner.thread());
}

TEST(LatestJob, survivesAnOwnerThatGoesFirst)
{
    QSemaphore gate;
    bool done = false;
    {
        QObject owner;
        LatestJob<int> job(&owner);
        job.start([&] { return gate.acquire(), 1; }, [&](int) { done = true; });
    }
    gate.release();
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    EXPECT_FALSE(done);
}

TEST(LatestJob, tellsHowFarItsWorkIs)
{
    QObject owner;
    QSemaphore gate;
    LatestJob<int> job(&owner);
    int done = 0;
    job.start(
        [&](QPromise<int>& promise) {
            promise.setProgressRange(0, 8);
            promise.setProgressValueAndText(2, QStringLiteral("two of eight"));
            gate.acquire();
            promise.addResult(7);
        },
        [&](int result) { done = result; });
    ASSERT_TRUE(waitFor([&] { return job.progress().value == 2; }));
    EXPECT_EQ(job.progress().most, 8);
    EXPECT_EQ(job.progress().words, QStringLiteral("two of eight"));
    gate.release();
    ASSERT_TRUE(waitFor([&] { return done == 7; }));
    EXPECT_EQ(job.progress().most, 0);
}

TEST(LatestJob, workThatTakesAPromiseStopsWhenItIsDroppedOvertakenOrItsOwnerGoes)
{
    std::atomic<int> stopped { 0 };
    const auto untilStopped = [&stopped](QPromise<int>& promise) {
        while (!promise.isCanceled())
            QThread::yieldCurrentThread();
        ++stopped;
        return 1;
    };
    bool done = false;
    const auto note = [&](int) { done = true; };
    {
        QObject owner;
        LatestJob<int> job(&owner);
        // Each one has begun before it is stopped: one that has not would not have to.
        const auto begin = [&] {
            std::atomic<bool> begun { false };
            job.start(
                [&begun, untilStopped](QPromise<int>& promise) {
                    begun = true;
                    return untilStopped(promise);
                },
                note);
            while (!begun)
                QThread::yieldCurrentThread();
        };
        begin();
        job.drop();
        QThreadPool::globalInstance()->waitForDone();
        EXPECT_EQ(stopped, 1);
        begin();
        job.start([] { return 2; }, note);
        QThreadPool::globalInstance()->waitForDone();
        EXPECT_EQ(stopped, 2);
        ASSERT_TRUE(waitFor([&] { return done; })); // of the second
        done = false;
        begin();
    }
    QThreadPool::globalInstance()->waitForDone();
    EXPECT_EQ(stopped, 3);
    EXPECT_FALSE(done);
}

TEST(LatestJob, workWithoutAPromiseRunsToItsEndThoughItIsOvertaken)
{
    QObject owner;
    QThreadPool one;
    one.setMaxThreadCount(1); // the second waits behind the first
    QSemaphore gate;
    std::atomic<int> ran { 0 };
    LatestJob<int> job(&owner, &one);
    job.start([&] { return gate.acquire(), ++ran; }, [](int) {});
    job.start([&] { return ++ran; }, [](int) {});
    job.start([&] { return ++ran; }, [](int) {});
    gate.release();
    one.waitForDone();
    EXPECT_EQ(ran, 3);
}

} // namespace stageloom
