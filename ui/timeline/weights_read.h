// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_side.h"
#include <QString>

namespace stageloom {

// A batch's forwards on one device, until those of the next batch begin, and the version of the
// weights that they read.
struct BatchReads {
    TimeRange range;
    int batch = 0, version = 0;
};

// In sight, by batch, of the first stage on the device; nothing where that are more than `most` or
// the trace does not say versions.
std::vector<BatchReads> batchesReading(
    const TimelineSide& side, int device, const TimeRange& sight, int most);
// "batch 3 on GPU 2 reads W1, one batch old", "W1, one batch old", "W1".
enum class ReadsForm { Sentence, Age, Version };
QString readsText(
    const BatchReads& reads, const QString& device, ReadsForm form = ReadsForm::Sentence);

} // namespace stageloom
