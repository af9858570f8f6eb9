// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/span_text.h"
#include <vector>

namespace stageloom {

// What a device keeps for backwards that are still to come.
struct StashesHeld {
    std::size_t count = 0; // one a stage and microbatch
    std::vector<int> microbatches; // from 0, each once, ascending
};
// Held from the start of a forward to the end of the last part of its backward, as the simulator
// counts memory. Looks back over 50,000 operations of the device, no further.
StashesHeld stashesHeld(const TimelineSide& side, int device, double time);

// "1–4, 7" of indices from 0, ascending; "…" after the sixth range.
QString rangesText(const std::vector<int>& indices);

// What the hover card says of the rows under the lanes, at a time.
struct MemoryOf {
    int device = 0;
    double capacity = 0; // bytes; 0: not known
};
std::vector<CardLine> memoryCard(const TimelineSide& side, const MemoryOf& of, double time,
    const QStringList& names, bool seconds);
std::vector<CardLine> versionCard(const TimelineSide& side, double time, bool seconds);

} // namespace stageloom
