// SPDX-License-Identifier: Apache-2.0
#include "client/fake_engine.h"
#include "core/plan/plan_fixture.h"
#include "engine/client/engine_capabilities.h"

#include <gmock/gmock.h>
#include <map>

namespace stageloom {

namespace {

using testing::HasSubstr;

class EngineCapabilitiesTest : public FakeEngineTest {
protected:
    // Counts how often it is asked.
    void engineTrains(const EngineCapabilities& capabilities)
    {
        engineIs("[ \"$*\" = 'capabilities --json' ] || exit 2\necho asked >> "
            + (m_folder / "asked").string() + "\necho '" + toJson(capabilities).dump() + "'");
    }
    [[nodiscard]] int timesAsked() const
    {
        std::ifstream file(m_folder / "asked");
        int times = 0;
        for (std::string line; std::getline(file, line);)
            ++times;
        return times;
    }
};

} // namespace

TEST_F(EngineCapabilitiesTest, anEngineIsAskedOnceABuild)
{
    engineTrains(test::someEngine());
    ASSERT_TRUE(askEngine());
    EXPECT_EQ(*askEngine(), test::someEngine());
    EXPECT_EQ(timesAsked(), 1);
    EngineCapabilities other = test::someEngine();
    other.families.push_back("llama");
    engineTrains(other); // written anew: another build at the same place
    EXPECT_EQ(askEngine()->families, other.families);
    EXPECT_EQ(timesAsked(), 2);
}

TEST_F(EngineCapabilitiesTest, theAnswerIsKeptForTheNextProgram)
{
    engineTrains(test::someEngine());
    ASSERT_TRUE(askEngine());
    const auto folder = m_folder / "cache" / "stageloom";
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        files.push_back(entry.path());
    ASSERT_EQ(files.size(), 1u);
    const auto document = readJsonFile(files[0]);
    ASSERT_TRUE(document);
    EXPECT_EQ((*document)["capabilities"], toJson(test::someEngine()));
    EXPECT_GT((*document)["build"]["bytes"], 0);
}

TEST_F(EngineCapabilitiesTest, aMissingSilentOrBrokenEngineIsAnErrorAndANote)
{
    ::setenv("STAGELOOM_ENGINE", (m_folder / "nothing").c_str(), 1);
    EXPECT_THAT(askEngine().error().message, HasSubstr("nothing"));
    const auto notes = trainingNotes(planModel(test::smallPlan()).value());
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0].severity, PlanFinding::Severity::Note);
    EXPECT_THAT(notes[0].message, HasSubstr("is not known"));
    engineIs("exit 3");
    EXPECT_THAT(askEngine().error().message, HasSubstr("exit code 3"));
    engineIs("echo hello");
    EXPECT_THAT(askEngine().error().message, HasSubstr("JSON"));
    engineIs("echo '{}'");
    EXPECT_THAT(askEngine().error().message, HasSubstr("version"));
}

TEST_F(EngineCapabilitiesTest, whatItDoesNotTrainIsANoteOfThePlan)
{
    engineTrains(test::someEngine());
    Plan plan = test::smallPlan(); // on GPUs
    const auto notes = trainingNotes(plan, planModel(plan).value());
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0].severity, PlanFinding::Severity::Note);
    EXPECT_THAT(notes[0].message, HasSubstr("does not train this"));
    EXPECT_THAT(notes[0].message, HasSubstr("GPU"));
}

// Among the checks of a plan stand validatePlan's findings and these notes together.
TEST_F(EngineCapabilitiesTest, eachFactStandsOnceAmongAPlansChecks)
{
    engineTrains(test::someEngine());
    Plan plan = test::smallPlan();
    plan.dtype = Dtype::Bf16;
    plan.compression = "powersgd";
    plan.schedule = "2wb";
    plan.topology.devices.resize(4, plan.topology.devices[0]);
    plan.stages[0].devices = { 0, 1 };
    plan.stages[1].devices = { 2, 3 };
    const Model model = planModel(plan).value();
    std::map<std::string, int> told;
    for (const PlanFinding& finding : validatePlan(plan, model))
        ++told[finding.path];
    for (const PlanFinding& note : trainingNotes(plan, model))
        ++told[note.path];
    for (const char* path : { "/dtype", "/stages/0/devices", "/compression", "/schedule" })
        EXPECT_EQ(told[path], 1) << path;
}

} // namespace stageloom
