// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_fixture.h"
#include "ui/timeline/search.h"
#include <gtest/gtest.h>

using namespace stageloom;

namespace {

std::size_t hits(const char* text)
{
    TimelineModel model;
    model.setTrace(TraceSide::Plan, test::twoStages());
    const auto query = parseQuery(QString::fromLatin1(text));
    return query ? findSpans(model, TraceSide::Plan, *query).size() : 999;
}

} // namespace

TEST(TimelineSearch, findsWhatTheTextNames)
{
    struct Row {
        const char* text;
        std::size_t count;
    };
    for (const Row row : { Row { "microbatch 2", 4 }, Row { "B2", 2 }, Row { "b 1", 2 },
             Row { "F", 4 }, Row { "stage 1", 4 }, Row { "stage 1 B2", 1 },
             Row { "GPU 0 forward", 2 }, Row { "W0", 8 }, Row { "W7", 0 }, Row { "batch 0", 8 },
             Row { "microbatch 9", 0 }, Row { "update", 0 } })
        EXPECT_EQ(hits(row.text), row.count) << row.text;
}

TEST(TimelineSearch, textThatNamesNothingIsNoQuery)
{
    for (const char* text : { "", "  ", "hello", "5", "B3 !" })
        EXPECT_FALSE(parseQuery(QString::fromLatin1(text))) << text;
}
