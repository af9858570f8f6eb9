// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/model_state.h"

#include "inputs_fixture.h"
#include <QSignalSpy>

using namespace stageloom;

namespace {

Profile timesOf(std::size_t layers)
{
    Profile profile;
    for (std::size_t i = 0; i < layers; ++i)
        profile.layers.push_back({ "layer", 1e-3, 1e-3, 2e-3 });
    return profile;
}

} // namespace

TEST(ModelState, opensAPresetAndNamesItForPeople)
{
    ModelState state;
    state.open(QStringLiteral("preset:gpt2"));
    EXPECT_TRUE(state.isBusy());
    ASSERT_TRUE(waitFor([&] { return state.model().has_value(); }));
    EXPECT_EQ(state.name(), QStringLiteral("gpt2"));
    EXPECT_EQ(state.source(), QStringLiteral("preset:gpt2"));
}

TEST(ModelState, computesCostsAgainAtAnotherLengthAndFormat)
{
    ModelState state;
    state.show(smallModel(), QStringLiteral("small"));
    const Layer before = state.model()->layers[1];
    QSignalSpy changed(&state, &ModelState::changed);
    state.setOptions(16, Dtype::Bf16);
    ASSERT_TRUE(waitFor([&] { return changed.count() == 1; }));
    EXPECT_EQ(state.model()->seq, 16);
    EXPECT_EQ(state.model()->dtype, Dtype::Bf16);
    // Half the tokens in half the bytes.
    EXPECT_DOUBLE_EQ(state.model()->layers[1].outputBytes, before.outputBytes / 4);
    EXPECT_LT(state.model()->layers[1].forwardFlops, before.forwardFlops / 2 + 1);
    state.setOptions(16, Dtype::Bf16);
    EXPECT_FALSE(state.isBusy()); // nothing to compute
}

TEST(ModelState, keepsWhatItShowsWhereTheLengthIsRefused)
{
    ModelState state;
    state.show(smallModel(), QStringLiteral("small"));
    QSignalSpy failed(&state, &ModelState::failed);
    state.setOptions(33, Dtype::Fp32); // the config has 32 positions
    ASSERT_TRUE(waitFor([&] { return failed.count() == 1; }));
    EXPECT_EQ(state.model()->seq, 32);
}

TEST(ModelState, takesOnlyTimesOfItsOwnLayers)
{
    ModelState state;
    state.show(smallModel(), QStringLiteral("small"));
    state.setProfile(timesOf(5));
    EXPECT_FALSE(state.profile());
    state.setProfile(timesOf(6));
    EXPECT_TRUE(state.profile());
    state.show(smallModel(), QStringLiteral("small"));
    EXPECT_FALSE(state.profile());
}

TEST(ModelState, followsThePlansModelAndItsTimes)
{
    ModelState state;
    Plan plan = smallPlan("cpu:1", { { 0, 5, { 0 } } });
    state.followPlan(plan, smallModel());
    EXPECT_TRUE(state.isModelOf(plan));
    QSignalSpy changed(&state, &ModelState::changed);
    plan.profile = timesOf(6);
    state.followPlan(plan, smallModel());
    EXPECT_TRUE(state.profile());
    plan.profile.reset(); // undone
    state.followPlan(plan, smallModel());
    EXPECT_FALSE(state.profile());
    EXPECT_EQ(changed.count(), 0);
}

TEST(ModelState, keepsAnOpenedModelWhileThePlanIsEdited)
{
    ModelState state;
    Plan plan = smallPlan("cpu:1", { { 0, 5, { 0 } } });
    state.followPlan(plan, smallModel());
    Model other = smallModel();
    other.name = "other";
    other.seq = 8;
    state.show(other, QStringLiteral("other"));
    state.setProfile(timesOf(6));
    plan.microbatches = 8;
    state.followPlan(plan, smallModel());
    EXPECT_EQ(state.name(), QStringLiteral("other"));
    EXPECT_TRUE(state.profile());
}
