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

} // namespace stageloom
