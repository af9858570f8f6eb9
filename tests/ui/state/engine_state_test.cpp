// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/fake_engine.h"
#include "core/plan/plan_fixture.h"
#include "ui/state/engine_state.h"

#include <QSignalSpy>
#include <QTest>
#include <gmock/gmock.h>

namespace stageloom {

using EngineStateTest = FakeEngineTest;

TEST_F(EngineStateTest, isAskedBesideTheWindowAndThenSaysWhatItDoesNotTrain)
{
    engineDoes("exit 2");
    EngineState engine;
    QSignalSpy answered(&engine, &EngineState::answered);
    const Plan plan = test::smallPlan(); // on GPUs
    const Model model = planModel(plan).value();
    engine.ask();
    EXPECT_TRUE(engine.notes(plan, model).empty()); // it has not answered, and nobody waits
    engine.ask();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !answered.isEmpty(); }));
    const auto notes = engine.notes(plan, model);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].severity, PlanFinding::Severity::Note);
    EXPECT_THAT(notes[0].message, testing::HasSubstr("does not train this"));
    engine.ask(); // what is known is not asked again
    QTest::qWait(20);
    EXPECT_EQ(answered.size(), 1);
}

} // namespace stageloom
