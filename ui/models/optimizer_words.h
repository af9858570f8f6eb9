// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include <QString>

namespace stageloom {

// What an optimizer is called wherever the window names one.
QString optimizerName(OptimizerKind kind);

} // namespace stageloom
