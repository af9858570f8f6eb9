// SPDX-License-Identifier: Apache-2.0
#include "core/store/store_fixture.h"
#include "core/store/store_writer.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <stdexcept>
#include <thread>

namespace stageloom {

namespace {

using StoreWriterTest = StoreTest;

StoreWriter::Job insertRun(std::string name)
{
    return [name = std::move(name)](Database& database) -> Status {
        const Result<RunId> id = RunStore(database).create({ name, "", "", "", "", 0, "", "", "" });
        return id ? Status {} : Status(failure(id));
    };
}

} // namespace

TEST_F(StoreWriterTest, writesInOrderWhatManyThreadsPost)
{
    const auto writer = StoreWriter::start(m_file).value();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&writer, t] {
            for (int i = 0; i < 100; ++i)
                writer->post(insertRun(fmt::format("{}-{:03}", t, i)));
        });
    for (std::thread& thread : threads)
        thread.join();
    ASSERT_TRUE(writer->flush());
    Database database = open();
    const auto rows = RunStore(database).list().value();
    ASSERT_EQ(rows.size(), 400u);
    std::vector<std::string> last(4);
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
        std::string& before = last[std::size_t(row->name[0] - '0')];
        EXPECT_LT(before, row->name) << "the order of one thread is kept";
        before = row->name;
    }
}

TEST_F(StoreWriterTest, oneFailedJobLosesNoOther)
{
    const auto writer = StoreWriter::start(m_file).value();
    writer->post(insertRun("before"));
    writer->post([](Database& database) -> Status {
        const auto id = RunStore(database).create({ "half", "", "", "", "", 0, "", "", "" });
        EXPECT_TRUE(id);
        return fail(ErrorKind::Invalid, "no more of this");
    });
    writer->post([](Database&) -> Status { throw std::runtime_error("thrown"); });
    writer->post([](Database& database) -> Status {
        database.raw().exec("INSERT INTO nowhere VALUES (1)");
        return {};
    });
    writer->post(insertRun("after"));
    const Status status = writer->flush();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "no more of this") << "the first error";
    EXPECT_TRUE(writer->flush()) << "an error is told once";
    Database database = open();
    const auto rows = RunStore(database).list().value();
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].name, "after");
    EXPECT_EQ(rows[1].name, "before");
}

TEST_F(StoreWriterTest, writesEverythingBeforeItGoes)
{
    {
        const auto writer = StoreWriter::start(m_file).value();
        for (int i = 0; i < 1000; ++i)
            writer->post(insertRun("x"));
    }
    Database database = open();
    EXPECT_EQ(RunStore(database).list()->size(), 1000u);
}

TEST_F(StoreWriterTest, aFileThatCannotBeOpenedIsAnErrorAtTheStart)
{
    EXPECT_FALSE(StoreWriter::start(m_folder));
}

} // namespace stageloom
