// SPDX-License-Identifier: Apache-2.0
// What is said of a plan: why it is where it is, and which move would help.
#include "core/plan/explain.h"
#include "core/plan/plan_fixture.h"

#include <gtest/gtest.h>

namespace stageloom {
namespace {

TEST(Explanation, saysWhoRecomputesInPlainWords)
{
    const Model model = test::handModel(6);
    Plan plan;
    plan.topology = test::handTopology(4, 1e9);
    plan.microbatches = 4;
    const std::pair<std::vector<int>, const char*> cases[] { { {}, "" },
        { { 2 }, "; stage 2 recomputes to fit" }, { { 0, 3 }, "; stages 0 and 3 recompute to fit" },
        { { 0, 1, 3 }, "; stages 0, 1 and 3 recompute to fit" },
        { { 0, 1, 2, 3 }, "; all stages recompute to fit" } };
    for (const auto& [again, words] : cases) {
        plan.stages = { { 0, 1, { 0 }, false }, { 2, 3, { 1 }, false }, { 4, 5, { 2 }, false },
            { 6, 7, { 3 }, false } };
        for (const int stage : again)
            plan.stages[std::size_t(stage)].recompute = true;
        const auto prediction = predict(plan, model, 4);
        ASSERT_TRUE(prediction) << prediction.error().message;
        const std::string why = explain({ plan, *prediction, {} }, nullptr, nullptr);
        EXPECT_NE(why.find(words), std::string::npos) << why;
        EXPECT_EQ(why.find("recompute") == std::string::npos, again.empty());
        EXPECT_EQ(why.find("4 stages × 1 replica, b 1"), 5u) << why;
    }
}

// The remark is about the simulated batch: a move that makes the slowest stage no faster may help,
// and one that does may not.
TEST(BalanceRemark, namesTheMoveThatTheSimulatorCallsBest)
{
    int helped = 0, none = 0;
    for (const char* schedule : { "2bw", "1f1b", "gpipe" })
        for (int border = 1; border < 9; ++border) {
            const Model model = test::handModel(8);
            Plan plan;
            plan.topology = test::handTopology(2, 0);
            plan.schedule = schedule;
            plan.microbatches = 3;
            const auto periodAt = [&](int at) {
                plan.stages = { { 0, at - 1, { 0 }, false }, { at, 9, { 1 }, false } };
                return predict(plan, model, 4)->stepTime;
            };
            const double before = border > 1 ? periodAt(border - 1) : 1e9;
            const double after = border < 9 ? periodAt(border + 1) : 1e9;
            const double now = periodAt(border);
            const auto prediction = predict(plan, model, 4);
            for (const PlanFinding& finding : prediction->findings) {
                if (finding.message.find("over the mean") == std::string::npos)
                    continue;
                const bool gains = std::min(before, after) < now * (1 - 0.002);
                EXPECT_EQ(finding.message.find("no single layer") == std::string::npos, gains)
                    << finding.message;
                if (gains) {
                    const int layer = before < after ? border - 1 : border;
                    EXPECT_NE(finding.message.find(
                                  "move " + model.layers[std::size_t(layer)].name + " to stage "),
                        std::string::npos)
                        << finding.message;
                }
                helped += gains;
                none += !gains;
            }
        }
    EXPECT_GT(helped, 3);
    EXPECT_GT(none, 0);
}

} // namespace
} // namespace stageloom
