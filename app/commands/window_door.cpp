// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/window_door.h"

#include "app/commands/command.h"
#include "core/base/resources.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

namespace stageloom {

namespace fs = std::filesystem;

namespace {

bool hasDisplay()
{
    for (const char* name : { "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM" })
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
            return true;
    return false;
}

// All else is a command, also a word that is at once a command's name and a file's.
bool asksForWindow(int argc, char** argv)
{
    std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() >= 2 && words[0] == "--store")
        words.erase(words.begin(), words.begin() + 2);
    if (words.empty())
        return true;
    std::error_code unknown;
    return words.size() == 1 && !words[0].starts_with('-') && !isCommandName(words[0])
        && fs::exists(words[0], unknown);
}

} // namespace

Result<fs::path> windowPath()
{
    const char* given = std::getenv("STAGELOOM_WINDOW");
    const fs::path window
        = given && *given ? fs::path(given) : programFolder() / "stageloom-window";
    if (::access(window.c_str(), X_OK) == 0 && !fs::is_directory(window))
        return window;
    return fail(ErrorKind::Unsupported,
        "the window's program {} is not there or cannot be run; packaging/run without a command "
        "builds and opens it (a build of the preset core has none), and stageloom --help lists "
        "the commands",
        window.string());
}

std::optional<int> openWindowIfAsked(int argc, char** argv)
{
    if (!hasDisplay() || !asksForWindow(argc, argv))
        return std::nullopt;
    const Result<fs::path> window = windowPath();
    if (!window) {
        std::fprintf(stderr, "stageloom: %s\n", window.error().message.c_str());
        return 1;
    }
    std::string program = window->string();
    std::vector<char*> words(argv, argv + argc);
    words[0] = program.data();
    words.push_back(nullptr);
    ::execv(program.c_str(), words.data());
    std::fprintf(stderr, "stageloom: the window's program %s does not start: %s\n", program.c_str(),
        std::strerror(errno));
    return 1;
}

} // namespace stageloom
