// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/prediction.h"
#include <map>
#include <memory>
#include <optional>

namespace stageloom {

// An operation that took far longer than its like of the same stage.
struct LateOperation {
    Span span; // as measured
    double usual = 0; // seconds: the median of its like
};

// How long a device waits in a batch, and what it waits for most.
struct DeviceWait {
    int device = 0;
    double seconds = 0; // a batch
    int forDevice = -1; // whose result; -1: its own update or nothing that is known
    ActionKind kind = ActionKind::Forward; // of that result
};

// The newest whole batches of a live run, and as many of the prediction, on one clock: both begin
// with the first forward of the first batch shown. Arithmetic without a widget.
class LastBatches {
public:
    static constexpr int kShown = 3;
    // What the simulation must hold, so that the part shown has neither fill nor drain.
    static constexpr int kPlanned = 6;

    void setPlanned(std::shared_ptr<const Prediction> prediction);
    void clear(); // of the measurement
    // In any pieces: a batch is shown once every backward of it is there (known by the prediction;
    // without one, at once).
    void append(const std::vector<Span>& spans);
    [[nodiscard]] bool isEmpty() const { return m_batches.empty(); }
    [[nodiscard]] int firstBatch() const; // 0-based; needs a batch
    [[nodiscard]] int lastBatch() const;
    [[nodiscard]] std::size_t spanCount() const; // of the batches shown

    [[nodiscard]] Trace run() const;
    [[nodiscard]] Trace plan() const; // renumbered to the batches shown; empty without a prediction
    [[nodiscard]] double stepSeconds() const; // measured; 0 with fewer than two batches
    [[nodiscard]] double
    bubbleFraction() const; // measured, of all batches but the first; 0: unknown
    [[nodiscard]] std::optional<LateOperation> late() const;
    [[nodiscard]] std::vector<DeviceWait> waits() const; // by device

private:
    [[nodiscard]] double origin() const;
    [[nodiscard]] bool isWhole(const std::vector<Span>& batch) const;
    std::map<int, std::vector<Span>> m_batches, m_unfinished;
    std::shared_ptr<const Prediction> m_prediction;
};

} // namespace stageloom
