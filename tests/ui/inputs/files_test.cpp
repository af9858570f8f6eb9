// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/file_kind.h"

#include "inputs_fixture.h"
#include <fcntl.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace stageloom;

namespace {

// The file's sentence; it names the file and ends as a sentence does.
std::string problem(const QString& path)
{
    const OpenedFile file = readAnyFile(path);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(file.content));
    return file.problem.toStdString();
}

bool says(const std::string& sentence, const char* part)
{
    return sentence.find(part) != std::string::npos;
}

} // namespace

TEST(OpenedFile, isToldByItsContentUnderAnyName)
{
    const Files files;
    const Plan plan = smallPlan("cpu:2", { { 0, 2, { 0 }, false }, { 3, 4, { 1 }, false } });
    for (const char* name : { "a.plan.json", "config.json", "machine.json", "noending", "x.png" }) {
        const QString path = files.write(QLatin1String(name), text(toJson(plan)));
        EXPECT_TRUE(std::holds_alternative<Plan>(readAnyFile(path).content)) << name;
        files.write(QLatin1String(name), kSmallConfig);
        EXPECT_TRUE(std::holds_alternative<Model>(readAnyFile(path).content)) << name;
        files.write(QLatin1String(name), text(toJson(*readTopology("dgx1-v100-16g"))));
        EXPECT_TRUE(std::holds_alternative<Topology>(readAnyFile(path).content)) << name;
        files.write(QLatin1String(name), R"({"layers": [{"forward": 1, "backward": 2}]})");
        EXPECT_TRUE(std::holds_alternative<Profile>(readAnyFile(path).content)) << name;
    }
}

TEST(OpenedFile, ofAModelsFolderIsItsConfig)
{
    const Files files;
    files.write(QStringLiteral("config.json"), kSmallConfig);
    const OpenedFile file = readAnyFile(files.path(QString()));
    ASSERT_TRUE(std::holds_alternative<Model>(file.content)) << file.problem.toStdString();
    EXPECT_EQ(std::get<Model>(file.content).layers.size(), 6u); // embedding, 3 blocks, norm, head
}

TEST(OpenedFile, thatIsAPictureGetsASentence)
{
    const Files files;
    const QByteArray png("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    EXPECT_TRUE(says(problem(files.write(QStringLiteral("a.png"), png)), "is a picture"));
    EXPECT_TRUE(says(problem(files.write(QStringLiteral("a.json"), png)), "a.json is a picture"));
    EXPECT_TRUE(says(problem(files.write(QStringLiteral("b.plan.json"), "\xff\xd8\xff\xe0 jpeg")),
        "is a picture"));
    EXPECT_TRUE(says(
        problem(files.write(QStringLiteral("c.json"), "<svg viewBox='0 0 1 1'/>")), "picture"));
}

TEST(OpenedFile, thatIsBinaryUnderAJsonNameGetsASentence)
{
    const Files files;
    EXPECT_TRUE(says(
        problem(files.write(QStringLiteral("a.json"), QByteArray(100, '\0'))), "is a binary file"));
    const QByteArray weights = QByteArray("\x20\0\0\0\0\0\0\0", 8) + R"({"w":{"dtype":"F32"}})";
    EXPECT_TRUE(says(problem(files.write(QStringLiteral("b.json"), weights)), "holds weights"));
    EXPECT_TRUE(says(problem(files.write(QStringLiteral("c.json"), "PK\3\4zip")), "archive"));
}

TEST(OpenedFile, thatIsEmptyOrBlankGetsASentence)
{
    const Files files;
    EXPECT_TRUE(says(problem(files.write(QStringLiteral("a.json"), "")), "a.json is empty"));
    EXPECT_TRUE(says(problem(files.write(QStringLiteral("b.json"), " \n ")), "b.json is empty"));
}

TEST(OpenedFile, ofTwoGigabytesIsNotRead)
{
    const Files files;
    const QString hole = files.write(QStringLiteral("hole.json"), "");
    ASSERT_EQ(::truncate(hole.toLocal8Bit().constData(), 2'000'000'000), 0);
    EXPECT_TRUE(says(problem(hole), "is a binary file"));
    const QString long_ = files.write(QStringLiteral("long.json"), "{" + QByteArray(5000, ' '));
    ASSERT_EQ(::truncate(long_.toLocal8Bit().constData(), 2'000'000'000), 0);
    const std::string sentence = problem(long_);
    EXPECT_TRUE(says(sentence, "1.86 GiB") && says(sentence, "at most 64.0 MiB")) << sentence;
}

TEST(OpenedFile, thatIsAFolderWithoutAModelGetsASentence)
{
    const Files files;
    EXPECT_TRUE(says(problem(files.path(QString())), "holds no config.json"));
}

TEST(OpenedFile, thatIsMissingOrABrokenLinkGetsASentence)
{
    const Files files;
    EXPECT_TRUE(says(problem(files.path(QStringLiteral("none.json"))), "does not exist"));
    const QString link = files.path(QStringLiteral("link.json"));
    ASSERT_TRUE(QFile::link(files.path(QStringLiteral("gone.json")), link));
    const std::string sentence = problem(link);
    EXPECT_TRUE(says(sentence, "is a link to") && says(sentence, "gone.json")) << sentence;
}

TEST(OpenedFile, thatIsAPipeIsNotWaitedFor)
{
    const Files files;
    const QString pipe = files.path(QStringLiteral("pipe.json"));
    ASSERT_EQ(::mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
    EXPECT_TRUE(says(problem(pipe), "a pipe"));
}

TEST(OpenedFile, thatMayNotBeReadGetsASentence)
{
    const Files files;
    const QString path = files.write(QStringLiteral("secret.json"), kSmallConfig);
    ASSERT_EQ(::chmod(path.toLocal8Bit().constData(), 0), 0);
    ASSERT_EQ(::chmod(files.path(QString()).toLocal8Bit().constData(), 0755), 0);
    // Root may read everything: as another user of files, this thread may not.
    const int before = ::geteuid() == 0 ? ::setfsuid(65534) : -1;
    const std::string sentence = problem(path);
    if (before >= 0)
        ::setfsuid(static_cast<uid_t>(before));
    EXPECT_TRUE(says(sentence, "cannot be read") && says(sentence, "ermission")) << sentence;
}

TEST(OpenedFile, thatIsAnotherProgramsTextIsNamed)
{
    const Files files;
    const auto sentence = [&](const QByteArray& content) {
        return problem(files.write(QStringLiteral("a.txt"), content));
    };
    EXPECT_TRUE(says(sentence("\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV1\t0-3\n"), "nvidia-smi"));
    EXPECT_TRUE(says(sentence("node1 -- Conv -- forward_compute_time=1.0\n"), "PipeDream"));
    EXPECT_TRUE(says(sentence("<system version='1'></system>"), "is XML"));
    EXPECT_TRUE(says(sentence("<!DOCTYPE html><html></html>"), "web page"));
    EXPECT_TRUE(says(sentence("version https://git-lfs.github.com/spec/v1\n"), "git lfs pull"));
    EXPECT_TRUE(says(sentence("just words"), "line 1, column"));
    EXPECT_TRUE(says(sentence("[1, 2]"), "no object in braces"));
    EXPECT_TRUE(says(sentence(R"({"plans": []})"), "planner's answer"));
    EXPECT_TRUE(says(sentence(R"({"spans": []})"), "is a trace"));
    EXPECT_TRUE(says(sentence(R"({"added_tokens": []})"), "tokenizer"));
    EXPECT_TRUE(says(sentence(R"({"a": 1})"), "neither a plan"));
}

TEST(OpenedFile, thatIsAFaultyPlanNamesThePlaceInIt)
{
    const Files files;
    Json plan = toJson(smallPlan("cpu:2", { { 0, 4, { 0 }, false } }));
    plan["microbatches"] = "four";
    EXPECT_TRUE(
        says(problem(files.write(QStringLiteral("a.plan.json"), text(plan))), "/microbatches"));
}
