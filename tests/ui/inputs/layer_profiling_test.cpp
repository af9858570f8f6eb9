// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/layer_profiling.h"

#include "inputs_fixture.h"
#include <QSemaphore>
#include <QSignalSpy>

using namespace stageloom;

namespace {

// Stands for the engine: says a quarter is done, then goes on until released or not wanted.
struct Engine {
    QSemaphore go;
    std::atomic<int> stopped { 0 };
    Result<Profile> operator()(const Plan& plan, const std::function<bool(double)>& progress)
    {
        while (progress(0.25)) {
            if (go.tryAcquire(1, 5)) {
                Profile profile;
                profile.device = plan.name;
                return profile;
            }
        }
        ++stopped;
        return fail(ErrorKind::Cancelled, "cancelled");
    }
};

Plan named(const char* name)
{
    Plan plan;
    plan.name = name;
    return plan;
}

} // namespace

TEST(LayerProfiling, measuresOffTheCallersThreadAndTellsHowFarItIs)
{
    Engine engine;
    LayerProfiling profiling(std::ref(engine));
    QSignalSpy measured(&profiling, &LayerProfiling::measured);
    profiling.start(named("a"));
    EXPECT_TRUE(profiling.isRunning());
    ASSERT_TRUE(waitFor([&] { return profiling.fraction() == 0.25; }));
    engine.go.release();
    ASSERT_TRUE(waitFor([&] { return measured.count() == 1; }));
    EXPECT_EQ(measured[0][1].value<Profile>().device, "a");
    EXPECT_FALSE(profiling.isRunning());
}

TEST(LayerProfiling, saysNothingOfACancelledOne)
{
    Engine engine;
    LayerProfiling profiling(std::ref(engine));
    QSignalSpy measured(&profiling, &LayerProfiling::measured),
        failed(&profiling, &LayerProfiling::failed);
    profiling.start(named("a"));
    ASSERT_TRUE(waitFor([&] { return profiling.fraction() > 0; })); // else it is never begun
    profiling.cancel();
    EXPECT_FALSE(profiling.isRunning());
    ASSERT_TRUE(waitFor([&] { return engine.stopped == 1; }));
    QCoreApplication::processEvents();
    profiling.start(named("b"));
    engine.go.release();
    ASSERT_TRUE(waitFor([&] { return measured.count() == 1; }));
    EXPECT_EQ(measured[0][1].value<Profile>().device, "b");
    EXPECT_EQ(failed.count(), 0);
}

TEST(LayerProfiling, endsTheEngineWhenItsOwnerGoes)
{
    Engine engine;
    {
        LayerProfiling profiling(std::ref(engine));
        profiling.start(named("a"));
        ASSERT_TRUE(waitFor([&] { return profiling.fraction() > 0; }));
    }
    EXPECT_EQ(engine.stopped, 1);
}

TEST(LayerProfiling, passesTheEnginesSentenceOn)
{
    LayerProfiling profiling([](const Plan&, const std::function<bool(double)>&) {
        return Result<Profile>(fail(ErrorKind::Io, "there is no engine"));
    });
    QSignalSpy failed(&profiling, &LayerProfiling::failed);
    profiling.start(named("a"));
    ASSERT_TRUE(waitFor([&] { return failed.count() == 1; }));
    EXPECT_EQ(failed[0][0].toString(), QStringLiteral("there is no engine"));
    EXPECT_FALSE(profiling.isRunning());
}

TEST(LayerProfiling, ofAModelWithoutAPlanIsOneStageThatAFileCanHold)
{
    const Plan plan = planToMeasure(smallModel(), QStringLiteral("small"));
    const Result<Plan> read = planFromJson(toJson(plan), "small");
    ASSERT_TRUE(read) << read.error().message;
    for (const PlanFinding& finding : validatePlan(*read))
        EXPECT_NE(finding.severity, PlanFinding::Severity::Error) << finding.message;
}
