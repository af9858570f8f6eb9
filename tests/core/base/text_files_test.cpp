// SPDX-License-Identifier: Apache-2.0
#include "core/base/text_files.h"

#include <fstream>
#include <gmock/gmock.h>
#include <stdlib.h>

namespace stageloom {

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class TextFilesTest : public testing::Test {
protected:
    TextFilesTest()
    {
        std::string pattern = (fs::temp_directory_path() / "stageloom-texts-XXXXXX").string();
        m_folder = ::mkdtemp(pattern.data());
    }
    ~TextFilesTest() override { fs::remove_all(m_folder); }
    [[nodiscard]] std::string write(const std::string& name, const std::string& content) const
    {
        fs::create_directories((m_folder / name).parent_path());
        std::ofstream(m_folder / name, std::ios::binary) << content;
        return (m_folder / name).string();
    }
    fs::path m_folder;
};

} // namespace

TEST_F(TextFilesTest, whatIsNoTextIsNamedAndTheRestIsCounted)
{
    (void)write("b/c.txt", "12345");
    (void)write("a.txt", "123");
    (void)write(".hidden", "1234567");
    (void)write("empty.txt", "");
    (void)write("picture.png", std::string("\x89PNG\0", 5));
    (void)write("notes.txt", "\xfe\xff");
    const auto text = findTextFiles(m_folder.string());
    ASSERT_TRUE(text) << text.error().message;
    ASSERT_EQ(text->files.size(), 2u);
    EXPECT_EQ(text->files[0].path, m_folder / "a.txt");
    EXPECT_EQ(text->files[1].bytes, 5u);
    EXPECT_EQ(text->bytes, 8u);
    ASSERT_EQ(text->leftOut.size(), 2u);
    EXPECT_THAT(text->leftOut[0], HasSubstr("notes.txt' is UTF-16"));
    EXPECT_THAT(text->leftOut[1], HasSubstr("picture.png' looks binary"));
}

TEST_F(TextFilesTest, aFewOfManyAreNamed)
{
    (void)write("a.txt", "text");
    for (int i = 0; i < 9; ++i)
        (void)write("binary" + std::to_string(i), std::string(3, '\0'));
    const auto notes = findTextFiles(m_folder.string())->notes();
    ASSERT_EQ(notes.size(), 6u);
    EXPECT_THAT(notes[4], HasSubstr("binary4"));
    EXPECT_THAT(notes[5], HasSubstr("4 more files"));
}

TEST_F(TextFilesTest, enoughTextIsCountedByFileAsItIsCut)
{
    // A tenth of each of ten files of 19 bytes is one byte: 10 for validation,
    // 180 to train on.
    for (int i = 0; i < 10; ++i)
        (void)write("part" + std::to_string(i), std::string(19, 'x'));
    const auto text = findTextFiles(m_folder.string()).value();
    EXPECT_TRUE(checkEnoughText(text, "texts", 0.1, 9));
    const Status held = checkEnoughText(text, "texts", 0.1, 10);
    ASSERT_FALSE(held);
    EXPECT_THAT(held.error().message, HasSubstr("of its 190 bytes validation gets 10"));
    EXPECT_TRUE(checkEnoughText(text, "texts", 0, 189));
    EXPECT_FALSE(checkEnoughText(text, "texts", 0, 190));
}

} // namespace stageloom
