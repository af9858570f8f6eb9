// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace stageloom {
// Starts the Qt application; an argument is the file to open.
int runWindow(int argc, char** argv);
} // namespace stageloom
