// SPDX-License-Identifier: Apache-2.0
#include "engine/foreign_error.h"
#include "engine/transport/mailbox.h"
#include "exec_support.h"
#include <pthread.h>
#include <set>

namespace stageloom::engine::test {
namespace {
// Never has microbatch `at`; gives up when the run is aborted, as a source must.
class StalledSource : public TokenSource {
public:
    explicit StalledSource(std::int64_t at)
        : TokenSource(1, -1)
        , m_at(at)
    {
    }
    Result<MicrobatchData> microbatch(std::int64_t k, const RunSignals& signals) const override
    {
        while (k >= m_at && !signals.aborted())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return make(k);
    }

private:
    std::int64_t m_at;
};

// Microbatches that take their time.
class SlowSource : public TokenSource {
public:
    SlowSource()
        : TokenSource(1, -1)
    {
    }
    Result<MicrobatchData> microbatch(std::int64_t k, const RunSignals&) const override
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(80));
        return make(k);
    }
};
}

TEST(Executor, keepsAsManyMicrobatchesAsTheSchedulesFormulaSays)
{
    for (int m : { 4, 8 }) {
        for (const char* schedule : { "2bw", "1f1b", "gpipe", "pipedream" }) {
            Case c;
            c.schedule = schedule;
            c.depth = 4;
            c.microbatches = m;
            c.batches = 3;
            const Trained trained = train(c);
            for (std::size_t s = 0; s < 4; ++s) {
                const std::size_t expected
                    = std::string(schedule) == "gpipe" ? static_cast<std::size_t>(m) : 4 - s;
                EXPECT_EQ(expected, trained.outcome.peakStash[s])
                    << schedule << " m=" << m << " stage " << s;
            }
        }
    }
}

TEST(Executor, recordsEveryActionOnceInListOrder)
{
    Case c;
    c.depth = 3;
    c.microbatches = 3;
    c.clip = 1;
    const Trained trained = train(c);
    const Schedule schedule = scheduleOf(c);
    ASSERT_EQ(schedule.actionCount(), trained.spans.size());
    for (int w = 0; w < 3; ++w) {
        std::vector<Span> spans;
        std::copy_if(trained.spans.begin(), trained.spans.end(), std::back_inserter(spans),
            [&](const Span& span) { return span.device == w; });
        std::stable_sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.start < b.start; });
        const auto& list = schedule.workers[static_cast<std::size_t>(w)];
        ASSERT_EQ(list.size(), spans.size());
        for (std::size_t i = 0; i < list.size(); ++i) {
            EXPECT_EQ(list[i].kind, spans[i].kind);
            EXPECT_EQ(list[i].microbatch, spans[i].microbatch);
            EXPECT_EQ(list[i].version, spans[i].version);
            EXPECT_LE(spans[i].start, spans[i].end);
            if (i > 0) {
                EXPECT_GE(spans[i].start, spans[i - 1].end);
            }
        }
    }
}

// Whoever watches sees a batch grow: every span comes live once, before the report of its batch.
TEST(Executor, spansComeLiveBeforeTheirBatchIsDone)
{
    Case c;
    c.microbatches = 3;
    c.source = std::make_shared<SlowSource>();
    auto executor = Executor::create(inputOf(c));
    ASSERT_TRUE(executor);
    (*executor)->setWatched([] { return true; });
    Trained trained;
    bool early = false;
    ASSERT_TRUE((*executor)->run([&](const RunReport& report) {
        collect(trained, report);
        early = early || (trained.losses.empty() && !trained.live.empty());
        EXPECT_GE(trained.live.size(), trained.spans.size());
    }));
    EXPECT_TRUE(early) << "the first batch takes several looks";
    const auto keys = [](const std::vector<Span>& spans) {
        std::set<std::tuple<int, int, int>> found;
        for (const Span& span : spans)
            EXPECT_TRUE(
                found.insert({ span.stage, span.microbatch, static_cast<int>(span.kind) }).second);
        return found;
    };
    // Nothing was wanted before the first look, which the first actions may beat.
    EXPECT_GE(trained.live.size() + 2, trained.spans.size());
    const auto all = keys(trained.spans);
    for (const auto& key : keys(trained.live))
        EXPECT_TRUE(all.contains(key));
}

TEST(Executor, spansStayWithTheirBatchWhileNobodyWatches)
{
    Case c;
    const Trained trained = train(c);
    EXPECT_TRUE(trained.live.empty());
    EXPECT_FALSE(trained.spans.empty());
}

TEST(Executor, stopAfterBatchLeavesTheRunOfThatManySteps)
{
    for (const char* schedule : { "2bw", "1f1b" }) {
        for (double clip : { 0.0, 0.05 }) {
            Case c;
            c.schedule = schedule;
            c.depth = 3;
            c.microbatches = 3;
            c.batches = 400;
            c.clip = clip;
            c.evaluationMicrobatches = 2;
            auto executor = Executor::create(inputOf(c));
            ASSERT_TRUE(executor);
            Trained stopped;
            const auto outcome = (*executor)->run([&](const RunReport& report) {
                collect(stopped, report);
                if (stopped.losses.size() == 2)
                    (*executor)->stopAfterBatch();
            });
            ASSERT_TRUE(outcome);
            ASSERT_EQ(ExecutorOutcome::End::StoppedAfterBatch, outcome->end);
            for (const StageParts& parts : (*executor)->stages())
                addWeights(
                    stopped.weights, *parts.module, parts.versions->flat(parts.versions->newest()));
            Case planned = c;
            planned.batches = static_cast<int>(stopped.losses.size());
            planned.plannedSteps = 400;
            ASSERT_LT(planned.batches, 400);
            const Trained expected = train(planned);
            EXPECT_EQ(expected.losses, stopped.losses);
            expectSameBits(expected.weights, stopped.weights);
            ASSERT_EQ(1u, stopped.evaluations.size());
            EXPECT_EQ(expected.evaluations[0].loss, stopped.evaluations[0].loss);
        }
    }
}

TEST(Executor, pausingChangesNothing)
{
    Case c;
    c.batches = 8;
    const Trained expected = train(c);
    auto executor = Executor::create(inputOf(c));
    ASSERT_TRUE(executor);
    Trained paused;
    std::thread resumer;
    ASSERT_TRUE((*executor)->run([&](const RunReport& report) {
        collect(paused, report);
        if (paused.losses.size() != 2 || !std::holds_alternative<BatchReport>(report))
            return;
        (*executor)->setPaused(true);
        resumer = std::thread([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            (*executor)->setPaused(false);
        });
    }));
    resumer.join();
    EXPECT_EQ(expected.losses, paused.losses);
}

TEST(Executor, stopNowEndsAStalledRun)
{
    Case c;
    c.source = std::make_shared<StalledSource>(3);
    auto executor = Executor::create(inputOf(c));
    ASSERT_TRUE(executor);
    std::thread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        (*executor)->stopNow();
    });
    const auto outcome = (*executor)->run([](const RunReport&) {});
    stopper.join();
    ASSERT_TRUE(outcome);
    EXPECT_EQ(ExecutorOutcome::End::StoppedNow, outcome->end);
}

TEST(Executor, watchdogSaysWhichStageWaitsForWhat)
{
    Case c;
    c.source = std::make_shared<StalledSource>(3);
    c.patience = std::chrono::milliseconds(200);
    auto executor = Executor::create(inputOf(c));
    ASSERT_TRUE(executor);
    const auto outcome = (*executor)->run([](const RunReport&) {});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(ErrorKind::Timeout, outcome.error().kind);
    EXPECT_NE(std::string::npos,
        outcome.error().message.find(
            "stage 1 waits for the activation of microbatch 3 from stage 0"))
        << outcome.error().message;
}

TEST(Executor, transfersAreActionsWithTimesOfTheirOwn)
{
    Case c;
    c.depth = 3;
    c.microbatches = 3;
    c.batches = 3;
    const Trained trained = train(c);
    std::map<std::pair<int, int>, std::vector<const Span*>> sends, receives; // by stage, microbatch
    for (const Span& span : trained.spans) {
        if (span.kind == ActionKind::Send)
            sends[{ span.stage, span.microbatch }].push_back(&span);
        if (span.kind == ActionKind::Recv)
            receives[{ span.stage, span.microbatch }].push_back(&span);
    }
    for (int k = 0; k < 9; ++k) {
        // The first stage sends an activation and receives a gradient, the last the other way
        // round, the one between does both twice.
        EXPECT_EQ(1u, (sends[{ 0, k }].size())) << k;
        EXPECT_EQ(2u, (sends[{ 1, k }].size())) << k;
        EXPECT_EQ(1u, (sends[{ 2, k }].size())) << k;
        EXPECT_EQ(1u, (receives[{ 0, k }].size())) << k;
        EXPECT_EQ(2u, (receives[{ 1, k }].size())) << k;
        EXPECT_EQ(1u, (receives[{ 2, k }].size())) << k;
        // Nothing is received before it is sent.
        EXPECT_GE((receives[{ 2, k }][0]->end), (sends[{ 1, k }][0]->start)) << k;
        EXPECT_GE((receives[{ 0, k }][0]->end), (sends[{ 1, k }][1]->start)) << k;
    }
}

TEST(Executor, aListWithoutTransfersBetweenItsWorkersIsRefused)
{
    ExecutorInput input = inputOf({});
    for (auto& list : input.schedule.workers)
        std::erase_if(list, [](const Action& action) {
            return action.kind == ActionKind::Send || action.kind == ActionKind::Recv;
        });
    input.proof = verifySchedule(input.schedule);
    ASSERT_TRUE(input.proof.ok()) << "the list itself is sound";
    const auto executor = Executor::create(std::move(input));
    ASSERT_FALSE(executor);
    EXPECT_NE(std::string::npos, executor.error().message.find("SEND and RECV"));
}

TEST(Executor, anExceptionOfAReportComesOutWhenAllWorkersHaveEnded)
{
    Case c;
    c.batches = 400;
    auto executor = Executor::create(inputOf(c));
    ASSERT_TRUE(executor);
    int reports = 0;
    EXPECT_THROW((*executor)->run([&](const RunReport&) {
        if (++reports == 2)
            throw std::runtime_error("the report's own");
    }),
        std::runtime_error);
    EXPECT_EQ(2, reports);
}

TEST(Executor, anExceptionOfIdleComesOutToo)
{
    Case c;
    c.source = std::make_shared<SlowSource>();
    auto executor = Executor::create(inputOf(c));
    ASSERT_TRUE(executor);
    EXPECT_THROW(
        (*executor)->run([](const RunReport&) {}, [] { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST(Executor, aThreadThatDoesNotStartEndsTheRunWithASentence)
{
    auto executor = Executor::create(inputOf({}));
    ASSERT_TRUE(executor);
    pthread_attr_t before, huge;
    ASSERT_EQ(0, pthread_getattr_default_np(&before));
    ASSERT_EQ(0, pthread_attr_init(&huge));
    ASSERT_EQ(0, pthread_attr_setstacksize(&huge, std::size_t(1) << 46)); // no machine has it
    ASSERT_EQ(0, pthread_setattr_default_np(&huge));
    const auto outcome
        = caught("The run", [&] { return (*executor)->run([](const RunReport&) {}); });
    ASSERT_EQ(0, pthread_setattr_default_np(&before));
    pthread_attr_destroy(&huge);
    pthread_attr_destroy(&before);
    ASSERT_FALSE(outcome);
    EXPECT_NE(std::string::npos, outcome.error().message.find("could not start a thread"))
        << outcome.error().message;
}

TEST(ForeignError, isASentenceThatSaysWhoAndWhatHelps)
{
    const auto messageOf = [](auto work) {
        return caught("Worker 3", [&]() -> Status { return work(); }).error().message;
    };
    const auto noRoom = [&](auto work) {
        EXPECT_EQ(
            "Worker 3 ran out of memory; a smaller microbatch, more stages or recompute helps.",
            messageOf(work));
    };
    noRoom([]() -> Status { throw std::bad_alloc(); });
    noRoom([]() -> Status { // more than an address holds
        (void)at::empty({ std::int64_t(1) << 60 });
        return {};
    });
    EXPECT_NE(std::string::npos, messageOf([]() -> Status {
        (void)at::mm(at::zeros({ 2, 3 }), at::zeros({ 2, 3 }));
        return {};
    }).find("Worker 3 stopped on an error of LibTorch"));
    EXPECT_NE(std::string::npos,
        messageOf([]() -> Status { throw std::runtime_error("odd"); }).find("odd"));
}

TEST(Executor, refusesClippingWithoutAReduction)
{
    Case c;
    c.depth = 2;
    c.schedule = "pipedream"; // its stages agree at no time
    ExecutorInput input = inputOf(c);
    input.optimizer.clipNorm = 1;
    const auto executor = Executor::create(std::move(input));
    ASSERT_FALSE(executor);
    EXPECT_NE(std::string::npos, executor.error().message.find("gradient clipping"));
}

TEST(Executor, smallRunsGiveTheSameBitsEveryTime)
{
    Case c;
    c.depth = 4;
    c.microbatches = 4;
    c.batches = 4;
    c.clip = 0.05;
    c.tied = true;
    c.evaluationInterval = 1;
    c.evaluationMicrobatches = 1;
    const Trained first = train(c);
    for (int i = 0; i < 20; ++i) {
        const Trained again = train(c);
        ASSERT_EQ(first.losses, again.losses);
        ASSERT_TRUE(sameBits(first.weights, again.weights));
    }
}

TEST(Mailbox, handsOverByMicrobatchWhateverTheOrder)
{
    RunSignals signals(std::chrono::seconds(5), false);
    Mailbox box(0, 1, 2, "the activation");
    box.put(7, at::full({ 1 }, 7.0));
    box.put(8, at::full({ 1 }, 8.0));
    EXPECT_EQ(8.0, box.take(8, signals)->item<double>());
    EXPECT_EQ(7.0, box.take(7, signals)->item<double>());
}

TEST(Mailbox, handsOverTheTensorItself)
{
    RunSignals signals(std::chrono::seconds(5), true);
    Mailbox box(0, 1, 1, "the activation");
    at::Tensor tensor = at::zeros({ 4 });
    const void* data = tensor.const_data_ptr();
    std::thread sender([&] { box.put(0, std::move(tensor)); });
    EXPECT_EQ(data, box.take(0, signals)->const_data_ptr());
    sender.join();
}

} // namespace stageloom::engine::test
