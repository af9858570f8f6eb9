// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#ifdef STAGELOOM_HAVE_WINDOW
#include "app/window.h"
#endif

int main(int argc, char** argv)
{
#ifdef STAGELOOM_HAVE_WINDOW
    if (const std::optional<int> code = stageloom::runWindowIfAsked(argc, argv))
        return *code;
#endif
    return stageloom::runCommandLine(argc, argv);
}
