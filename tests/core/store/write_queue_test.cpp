// SPDX-License-Identifier: Apache-2.0
#include "core/store/store_fixture.h"
#include "core/store/write_queue.h"

namespace stageloom {

namespace {

// A job that is told apart by what it answers.
WriteJob job(const std::string& name, std::size_t droppable = 0)
{
    return { [name](Database&) -> Status { return fail(ErrorKind::Invalid, "{}", name); },
        droppable };
}

class WriteQueueTest : public StoreTest {
protected:
    std::vector<std::string> names(const std::vector<WriteJob>& jobs)
    {
        Database database = open();
        std::vector<std::string> found;
        for (const WriteJob& job : jobs)
            found.push_back(job.run ? job.run(database).error().message : "-");
        return found;
    }
};
using Names = std::vector<std::string>;

} // namespace

TEST_F(WriteQueueTest, keepsTheOrderAlsoOfWhatComesBack)
{
    WriteQueue queue(10);
    for (const char* name : { "a", "b", "c", "d" })
        queue.push(job(name));
    std::vector<WriteJob> taken = queue.take(2);
    EXPECT_EQ(names(taken), (Names { "a", "b" }));
    queue.push(job("e"));
    queue.putBack(std::move(taken));
    EXPECT_EQ(names(queue.take(99)), (Names { "a", "b", "c", "d", "e" }));
    EXPECT_TRUE(queue.empty());
}

TEST_F(WriteQueueTest, givesUpTheOldestSpansAndNothingElse)
{
    WriteQueue queue(100);
    queue.push(job("metrics 1"));
    queue.push(job("spans 1", 60));
    queue.push(job("metrics 2"));
    queue.push(job("spans 2", 40));
    EXPECT_EQ(queue.dropped(), 0u) << "just as many as there is room for";
    queue.push(job("spans 3", 1));
    EXPECT_EQ(queue.dropped(), 60u);
    for (int i = 0; i < 1000; ++i)
        queue.push(job("m"));
    EXPECT_EQ(queue.dropped(), 60u) << "what may not be dropped never is";
    EXPECT_EQ(
        names(queue.take(5)), (Names { "metrics 1", "-", "metrics 2", "spans 2", "spans 3" }));
}

TEST_F(WriteQueueTest, whatIsTakenLeavesRoomUntilItComesBack)
{
    WriteQueue queue(50);
    queue.push(job("old", 50));
    std::vector<WriteJob> taken = queue.take(1);
    queue.push(job("new", 50));
    EXPECT_EQ(queue.dropped(), 0u);
    queue.putBack(std::move(taken));
    EXPECT_EQ(queue.dropped(), 50u);
    EXPECT_EQ(names(queue.take(9)), (Names { "-", "new" }));
}

} // namespace stageloom
