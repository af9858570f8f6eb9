// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/decimation.h"
#include <optional>

namespace stageloom {

// What a vertical axis shows: all that is drawn, or, where single spikes of the faint raw curves
// would press everything else into a line, the bulk and what it leaves out at either end.
struct VerticalFit {
    MinMax range; // without a margin; empty where nothing is drawn
    std::optional<DrawnPoint> above, below; // the farthest of what is left out
};

// `firm` is always shown (smooth curves, rings), `faint` all but its rarest. `whole` leaves nothing
// out. On a logarithmic axis heights are compared by their logarithms; give no values <= 0 there.
VerticalFit fitVertical(
    const MinMax& firm, const std::vector<DrawnPoint>& faint, bool logarithmic, bool whole);

} // namespace stageloom
