// SPDX-License-Identifier: Apache-2.0
#include "engine/client/profile_client.h"
#include "core/base/text.h"
#include "core/store/run_folder.h"
#include "engine/client/child_process.h"
#include "engine/client/control_socket.h"
#include "engine/client/protocol.h"

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace stageloom {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
constexpr auto kLook = 100ms; // how often a caller may cancel

// A folder for the plan, the log and the answer, removed on every way out.
class ScratchFolder {
public:
    static Result<ScratchFolder> make()
    {
        std::error_code error;
        std::string pattern
            = (fs::temp_directory_path(error) / "stageloom-profile-XXXXXX").string();
        if (error || ::mkdtemp(pattern.data()) == nullptr)
            return fail(
                ErrorKind::Io, "cannot make a folder for the profile in the temporary folder");
        return ScratchFolder(pattern);
    }
    ScratchFolder(ScratchFolder&& other) noexcept
        : m_path(std::exchange(other.m_path, {}))
    {
    }
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            fs::remove_all(m_path, ignored);
    }
    [[nodiscard]] const fs::path& path() const { return m_path; }

private:
    explicit ScratchFolder(fs::path path)
        : m_path(std::move(path))
    {
    }
    fs::path m_path;
};

// "progress 0.25" -> 0.25; other lines say nothing.
std::optional<double> fractionOf(const std::string& line)
{
    constexpr std::string_view kWord = "progress ";
    if (!line.starts_with(kWord))
        return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(line.c_str() + kWord.size(), &end);
    if (end == line.c_str() + kWord.size() || !(value >= 0))
        return std::nullopt;
    return std::min(value, 1.0);
}

// Processor time that a process has used, in clock ticks; 0 where it cannot be told.
std::uint64_t ticksOf(pid_t process)
{
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    std::string line;
    std::getline(file, line);
    const std::size_t name = line.rfind(')'); // it may hold blanks
    if (name == std::string::npos)
        return 0;
    const auto fields = split(std::string_view(line).substr(name + 2), ' ');
    constexpr std::size_t kUser = 11, kSystem = 12; // from the state on
    if (fields.size() <= kSystem)
        return 0;
    return std::strtoull(fields[kUser].data(), nullptr, 10)
        + std::strtoull(fields[kSystem].data(), nullptr, 10);
}

// Reads progress until the engine closes its output. One that is silent for so long and does not
// compute either hangs.
Status followProgress(int fd, pid_t engine, std::chrono::milliseconds silence,
    const std::function<bool(double)>& progress)
{
    std::uint64_t ticks = 0;
    LineBuffer lines(64u << 10);
    double fraction = 0;
    auto heard = std::chrono::steady_clock::now();
    for (;;) {
        pollfd wait { fd, POLLIN, 0 };
        if (::poll(&wait, 1, int(kLook.count())) > 0) {
            char bytes[4096];
            const ssize_t n = ::read(fd, bytes, sizeof bytes);
            if (n == 0)
                return {};
            if (n > 0 && !lines.feed({ bytes, std::size_t(n) }))
                return fail(ErrorKind::Io, "the engine wrote no progress but something else");
            heard = std::chrono::steady_clock::now();
            while (const std::optional<std::string> line = lines.next())
                fraction = fractionOf(*line).value_or(fraction);
        } else if (std::chrono::steady_clock::now() - heard > silence) {
            const std::uint64_t now = ticksOf(engine);
            if (now == ticks)
                return fail(ErrorKind::Timeout, "the engine did nothing for {:.0f} s and was ended",
                    std::chrono::duration<double>(silence).count());
            ticks = now;
            heard = std::chrono::steady_clock::now();
        }
        if (progress && !progress(fraction))
            return fail(ErrorKind::Cancelled, "the measurement was cancelled");
    }
}

tl::unexpected<Error> measurementFailed(const ChildExit& ended, std::string words)
{
    constexpr std::string_view kProgram = "stageloom-engine: "; // how it begins its own messages
    if (words.starts_with(kProgram))
        return fail(
            ErrorKind::Io, "the model cannot be measured: {}", words.substr(kProgram.size()));
    return fail(ErrorKind::Io, "the model cannot be measured: the engine ended with {}{}{}",
        ended.text, words.empty() ? "" : ": ", words);
}

} // namespace

Result<Profile> profileModel(const Plan& plan, std::function<bool(double)> progress)
{
    return profileModelWithin(std::chrono::minutes(5), plan, progress);
}

Result<Profile> profileModelWithin(std::chrono::milliseconds silence, const Plan& plan,
    const std::function<bool(double)>& progress)
{
    const Result<fs::path> engine = enginePath();
    if (!engine)
        return failure(engine);
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    if (!scratch)
        return failure(scratch);
    const fs::path planFile = scratch->path() / "plan.json",
                   answer = scratch->path() / "profile.json";
    if (const Status written = writePlan(plan, planFile.string()); !written)
        return failure(written);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return fail(ErrorKind::Io, "cannot open a pipe to the engine");
    FileDescriptor reading(ends[0]), writing(ends[1]);
    const Result<pid_t> child = startChild(*engine,
        { "profile", "--plan", planFile.string(), "--output", answer.string() },
        { scratch->path() / kEngineLogFile, writing.get() });
    if (!child)
        return failure(child);
    writing = FileDescriptor(); // the engine's copy alone keeps the pipe open
    if (const Status followed = followProgress(reading.get(), *child, silence, progress);
        !followed) {
        endChild(*child);
        return failure(followed);
    }
    for (int i = 0; i < 500; ++i) { // its output is closed: it is about to end
        if (const std::optional<ChildExit> ended = pollChild(*child)) {
            if (ended->ok)
                return readProfile(answer.string());
            return measurementFailed(*ended, lastWords(scratch->path(), 1));
        }
        std::this_thread::sleep_for(10ms);
    }
    endChild(*child);
    return fail(ErrorKind::Timeout, "the engine closed its output but did not end");
}

} // namespace stageloom
