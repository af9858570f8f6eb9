// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_side.h"

namespace stageloom {

// The share of all devices that compute in each of `columns` equal parts of a range, 0…1. Costs
// columns times devices, however many spans there are.
std::vector<double> utilisation(const TimelineSide& side, const TimeRange& range, int columns);

} // namespace stageloom
