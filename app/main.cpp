// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"

int main(int argc, char** argv) { return stageloom::runCommandLine(argc, argv); }
