// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <future>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

namespace stageloom {

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FilesTest : public testing::Test {
protected:
    void SetUp() override
    {
        std::string pattern = (fs::temp_directory_path() / "stageloom-files-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        m_folder = pattern;
    }
    void TearDown() override { fs::remove_all(m_folder); }
    [[nodiscard]] mode_t typeOf(const char* name) const
    {
        struct stat info { };
        return ::lstat((m_folder / name).c_str(), &info) == 0 ? info.st_mode & S_IFMT : 0;
    }
    [[nodiscard]] std::ptrdiff_t entries() const
    {
        return std::distance(fs::directory_iterator(m_folder), {});
    }
    [[nodiscard]] std::string read(const char* name) const
    {
        return readTextFile(m_folder / name, 1000).value_or("unreadable");
    }
    fs::path m_folder;
};

} // namespace

TEST_F(FilesTest, aWriteReplacesTheWholeFileAndLeavesNothingBeside)
{
    ASSERT_TRUE(writeFileAtomically(m_folder / "f", "old and longer"));
    ASSERT_TRUE(writeFileAtomically(m_folder / "f", "new"));
    EXPECT_EQ(read("f"), "new");
    EXPECT_EQ(entries(), 1);
    EXPECT_FALSE(writeFileAtomically(m_folder / "none" / "f", "x"));
    EXPECT_THAT(writeFileAtomically(m_folder, "x").error().message, HasSubstr("is a folder"));
    EXPECT_FALSE(readTextFile(m_folder, 100));
}

TEST_F(FilesTest, aLinkStaysALinkAndWhatItLeadsToIsReplaced)
{
    fs::create_directory(m_folder / "kept");
    ASSERT_TRUE(writeFileAtomically(m_folder / "kept" / "real", "old"));
    fs::create_symlink("kept/real", m_folder / "link");
    fs::create_symlink("link", m_folder / "second");
    ASSERT_TRUE(writeFileAtomically(m_folder / "second", "new"));
    EXPECT_EQ(typeOf("second"), mode_t(S_IFLNK));
    EXPECT_EQ(typeOf("link"), mode_t(S_IFLNK));
    EXPECT_EQ(typeOf("kept/real"), mode_t(S_IFREG));
    EXPECT_EQ(read("kept/real"), "new");
    fs::create_symlink("made", m_folder / "dangling");
    ASSERT_TRUE(writeFileAtomically(m_folder / "dangling", "first"));
    EXPECT_EQ(read("made"), "first");
    EXPECT_EQ(typeOf("dangling"), mode_t(S_IFLNK));
    fs::create_symlink("round", m_folder / "round");
    EXPECT_THAT(writeFileAtomically(m_folder / "round", "x").error().message, HasSubstr("circle"));
    fs::create_symlink("/nowhere/else", m_folder / "lost");
    EXPECT_FALSE(writeFileAtomically(m_folder / "lost", "x"));
    EXPECT_EQ(typeOf("lost"), mode_t(S_IFLNK));
}

TEST_F(FilesTest, modesAreKeptAndNewFilesFollowTheMask)
{
    const auto modeOf = [&](const char* name) {
        struct stat info { };
        return ::stat((m_folder / name).c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
    };
    const mode_t before = ::umask(027);
    ASSERT_TRUE(writeFileAtomically(m_folder / "new", "x"));
    EXPECT_EQ(modeOf("new"), 0640u);
    ASSERT_EQ(::chmod((m_folder / "new").c_str(), 0604), 0);
    ASSERT_TRUE(writeFileAtomically(m_folder / "new", "y"));
    EXPECT_EQ(modeOf("new"), 0604u);
    ::umask(before);
}

TEST_F(FilesTest, aPipeIsWrittenIntoAndStaysAPipe)
{
    const fs::path pipe = m_folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::future<std::string> reader = std::async(std::launch::async, [&] {
        const int fd = ::open(pipe.c_str(), O_RDONLY | O_CLOEXEC);
        std::string text;
        std::array<char, 4096> bytes {};
        for (ssize_t n = 0; (n = ::read(fd, bytes.data(), bytes.size())) > 0;)
            text.append(bytes.data(), std::size_t(n));
        ::close(fd);
        return text;
    });
    const std::string content(300'000, 'c'); // more than a pipe holds
    ASSERT_TRUE(writeFileAtomically(pipe, content));
    EXPECT_EQ(reader.get(), content);
    EXPECT_EQ(typeOf("pipe"), mode_t(S_IFIFO));
    EXPECT_EQ(entries(), 1);
}

TEST_F(FilesTest, aReaderThatGoesAwayIsAnErrorNotTheEnd)
{
    const fs::path pipe = m_folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::future<void> reader = std::async(
        std::launch::async, [&] { ::close(::open(pipe.c_str(), O_RDONLY | O_CLOEXEC)); });
    EXPECT_FALSE(writeFileAtomically(pipe, std::string(300'000, 'c')));
    reader.get();
}

TEST_F(FilesTest, devicesStayDevicesAndSocketsAreRefused)
{
    // Never the machine's own nodes: a superuser's mistake would take them from everybody.
    if (::mknod((m_folder / "null").c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0
        && ::mknod((m_folder / "full").c_str(), S_IFCHR | 0600, makedev(1, 7)) == 0) {
        const int opened = ::open((m_folder / "null").c_str(), O_WRONLY | O_CLOEXEC);
        if (opened >= 0) { // a folder may be mounted without devices
            EXPECT_TRUE(writeFileAtomically(m_folder / "null", "x"));
            EXPECT_THAT(
                writeFileAtomically(m_folder / "full", "x").error().message, HasSubstr("No space"));
            ::close(opened);
        }
        EXPECT_EQ(typeOf("null"), mode_t(S_IFCHR));
        EXPECT_EQ(typeOf("full"), mode_t(S_IFCHR));
    }
    const fs::path socket = m_folder / "socket";
    sockaddr_un address {};
    address.sun_family = AF_UNIX;
    ASSERT_LT(socket.string().size(), sizeof address.sun_path);
    socket.string().copy(address.sun_path, sizeof address.sun_path - 1);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_THAT(writeFileAtomically(socket, "x").error().message, HasSubstr("neither"));
    EXPECT_EQ(typeOf("socket"), mode_t(S_IFSOCK));
    ::close(fd);
}

TEST_F(FilesTest, anOwnStreamGoesOnWhereItIs)
{
    const fs::path file = m_folder / "out";
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ASSERT_GE(fd, 0);
    ASSERT_EQ(::write(fd, "before ", 7), 7);
    ASSERT_TRUE(writeFileAtomically(fs::path("/dev/fd") / std::to_string(fd), "within "));
    ASSERT_EQ(::write(fd, "after", 5), 5);
    ::close(fd);
    EXPECT_EQ(read("out"), "before within after");
}

TEST_F(FilesTest, noNameBesideTheTargetIsForeseen)
{
    // A name that is taken by somebody's link would be followed by an open without O_EXCL.
    ASSERT_TRUE(writeFileAtomically(m_folder / "victim", "kept"));
    fs::create_symlink("victim", m_folder / ("f.part-" + std::to_string(::getpid())));
    ASSERT_TRUE(writeFileAtomically(m_folder / "f", "content"));
    EXPECT_EQ(read("victim"), "kept");
    EXPECT_EQ(read("f"), "content");
}

} // namespace stageloom
