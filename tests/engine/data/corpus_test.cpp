// SPDX-License-Identifier: Apache-2.0
#include "engine/data/corpus.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace stageloom;
using namespace stageloom::engine;
namespace fs = std::filesystem;

namespace {

class CorpusFolder : public testing::Test {
protected:
    CorpusFolder()
        : m_folder(fs::temp_directory_path() / fmt::format("stageloom-corpus-{}", getpid()))
    {
        fs::remove_all(m_folder);
        fs::create_directories(m_folder / "sub");
    }
    ~CorpusFolder() override { fs::remove_all(m_folder); }
    std::string write(const std::string& name, const std::string& content) const
    {
        std::ofstream(m_folder / name, std::ios::binary) << content;
        return (m_folder / name).string();
    }
    static std::string text(const std::vector<std::uint8_t>& bytes)
    {
        return { bytes.begin(), bytes.end() };
    }
    fs::path m_folder;
};

} // namespace

TEST_F(CorpusFolder, filesAreReadInNameOrderAndEachIsSplit)
{
    write("b.txt", "0123456789");
    write("a.txt", "abcdefghijklmnopqrst");
    write("sub/c.txt", "ABCDEFGHIJ");
    const auto corpus = readCorpus(m_folder.string(), 0.2, 4);
    ASSERT_TRUE(corpus) << corpus.error().message;
    EXPECT_EQ(text(corpus->train), "abcdefghijklmnop01234567ABCDEFGH");
    EXPECT_EQ(text(corpus->validation), "qrst89IJ");
    EXPECT_EQ(corpus->files.size(), 3u);
    EXPECT_TRUE(corpus->notes.empty());
}

TEST_F(CorpusFolder, hiddenAndBinaryFilesAreLeftOutAndLinksAreFollowed)
{
    write(".hidden", "hidden hidden");
    write("data.bin", std::string("ab\0cd", 5));
    fs::create_symlink(write("sub/.real", "linked text"), m_folder / "link.txt");
    fs::create_directory_symlink(m_folder, m_folder / "loop");
    const auto corpus = readCorpus(m_folder.string(), 0, 4);
    ASSERT_TRUE(corpus) << corpus.error().message;
    EXPECT_EQ(text(corpus->train), "linked text");
    ASSERT_EQ(corpus->notes.size(), 1u);
    EXPECT_NE(corpus->notes[0].find("data.bin"), std::string::npos);
}

TEST_F(CorpusFolder, utf16IsLeftOutWithWhatHelps)
{
    write("a.txt", "plain text");
    write("b.txt", "\xff\xfet\x01");
    const auto corpus = readCorpus(m_folder.string(), 0, 4);
    ASSERT_TRUE(corpus) << corpus.error().message;
    EXPECT_EQ(text(corpus->train), "plain text");
    ASSERT_EQ(corpus->notes.size(), 1u);
    EXPECT_NE(corpus->notes[0].find("b.txt' is UTF-16"), std::string::npos);
    EXPECT_NE(corpus->notes[0].find("iconv"), std::string::npos);
}

TEST_F(CorpusFolder, tooLittleTextIsRefusedWithTheBytesThatWouldDo)
{
    const auto path = write("short.txt", std::string(100, 'x'));
    const auto training = readCorpus(path, 0, 100);
    ASSERT_FALSE(training);
    EXPECT_NE(training.error().message.find("needs 101"), std::string::npos);
    const auto held = readCorpus(path, 0.1, 50);
    ASSERT_FALSE(held);
    EXPECT_NE(held.error().message.find("validation gets 10,"), std::string::npos);
    EXPECT_NE(held.error().message.find("at least 511 bytes"), std::string::npos)
        << held.error().message;
    EXPECT_TRUE(readCorpus(write("enough.txt", std::string(511, 'x')), 0.1, 50));
    EXPECT_TRUE(readCorpus(path, 0, 99));
}

TEST_F(CorpusFolder, whatIsNoTextIsAnErrorThatNamesIt)
{
    EXPECT_NE(readCorpus((m_folder / "none").string(), 0, 4).error().message.find("none"),
        std::string::npos);
    EXPECT_NE(readCorpus(m_folder.string(), 0, 4).error().message.find("no text file"),
        std::string::npos);
    EXPECT_FALSE(readCorpus(write("z", std::string(50, '\0')), 0, 4));
    EXPECT_FALSE(readCorpus(write("a", "abcdefgh"), 1.0, 4));
    EXPECT_FALSE(readCorpus(write("a", "abcdefgh"), std::nan(""), 4));
    EXPECT_FALSE(readCorpus("/dev/null", 0, 4));
    EXPECT_FALSE(readCorpus(write("a", "abcdefgh"), 0, 0));
}

TEST_F(CorpusFolder, textBeyondTheLimitIsRefusedBeforeItIsRead)
{
    const auto path = write("huge.txt", std::string(8192, 'x'));
    fs::resize_file(path, 2'000'000'001); // sparse, behind a beginning of text
    const auto corpus = readCorpus(path, 0, 4);
    ASSERT_FALSE(corpus);
    EXPECT_NE(corpus.error().message.find("2000000000"), std::string::npos);
}
