// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "app/commands/window_door.h"

int main(int argc, char** argv)
{
    if (const std::optional<int> code = stageloom::openWindowIfAsked(argc, argv))
        return *code;
    return stageloom::runCommandLine(argc, argv);
}
