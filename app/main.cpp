// SPDX-License-Identifier: GPL-3.0-or-later
// No arguments, or a file: the window. A subcommand: headless, without Qt being touched.
#include "app/commands/command.h"

#ifdef STAGELOOM_HAVE_WINDOW
#include "app/window.h"
#include <filesystem>

namespace {
bool opensWindow(int argc, char** argv)
{
    return argc == 1 || (argc == 2 && argv[1][0] != '-' && std::filesystem::exists(argv[1]));
}
} // namespace
#endif

int main(int argc, char** argv)
{
#ifdef STAGELOOM_HAVE_WINDOW
    if (opensWindow(argc, argv))
        return stageloom::runWindow(argc, argv);
#endif
    return stageloom::runCommandLine(argc, argv);
}
