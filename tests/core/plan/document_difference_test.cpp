// SPDX-License-Identifier: Apache-2.0
#include "core/plan/document_difference.h"

#include <gmock/gmock.h>

using namespace stageloom;
using testing::ElementsAre;

TEST(DocumentDifference, aDocumentDoesNotDifferFromItself)
{
    const Json document { { "a", 1 }, { "b", { { "c", { 1, 2 } } } } };
    EXPECT_TRUE(differences({ document, document, document }).empty());
    EXPECT_EQ(leaves({ document, document }).size(), 3u);
}

TEST(DocumentDifference, everyChangedLeafIsNamedWithItsValues)
{
    const Json a { { "schedule", "2bw" }, { "optimizer", { { "lr", 0.001 } } },
        { "stages", { { { "last", 3 } }, { { "last", 6 } } } } };
    Json b = a;
    b["schedule"] = "1f1b";
    b["stages"][1]["last"] = 5;
    const auto found = differences({ a, b });
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].path, "/schedule");
    EXPECT_THAT(found[0].values, ElementsAre("\"2bw\"", "\"1f1b\""));
    EXPECT_EQ(found[1].path, "/stages/1/last");
    EXPECT_THAT(found[1].values, ElementsAre("6", "5"));
}

TEST(DocumentDifference, aLeafThatOneDocumentLacksIsAbsentThere)
{
    const Json a { { "x", 1 } }, b { { "x", 1 }, { "y", false } }, c { { "x", 2 } };
    const auto found = differences({ a, b, c });
    ASSERT_EQ(found.size(), 2u);
    EXPECT_FALSE(found[0].changed(1));
    EXPECT_TRUE(found[0].changed(2));
    EXPECT_THAT(found[1].values,
        ElementsAre(DocumentDifference::kAbsent, "false", DocumentDifference::kAbsent));
}
