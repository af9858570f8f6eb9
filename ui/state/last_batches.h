// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/prediction.h"
#include "core/sim/gaps.h"
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

// Some batches in a row out of a longer stream. The batches are cut out by time: what a device does
// meanwhile for the batches before and after is work too.
struct BatchesPart {
    Trace trace; // the batches, and what surrounds them
    TraceEnds ends = TraceEnds::Cut;
    // From the first forward of the first batch to the last end of the last one; and all of the
    // spans that reach into that, which are shown whole.
    Window window, shown;
    // Whole periods without the run's filling: from one batch's first forward to another's. Of no
    // batch where none has begun after them.
    Window steady;
    // What idle shares, waits and the bubble are of.
    [[nodiscard]] const Window& counted() const { return steady.batches > 0 ? steady : window; }
    [[nodiscard]] std::vector<DeviceTime> times() const; // over counted()
};

// The newest whole batches of a live run, and as many of the prediction, on one clock: both begin
// with the first forward of the first batch shown. Arithmetic without a widget.
class LastBatches {
public:
    static constexpr int kShown = 3;
    // What the simulation of a plan must hold, so that the part shown has neither fill nor drain.
    static int batchesToPlan(const Plan& plan);

    void setPlanned(std::shared_ptr<const Prediction> prediction);
    void clear(); // of the measurement
    // In any pieces: a batch is shown once every backward of it is there (known by the prediction;
    // without one, at once).
    void append(const std::vector<Span>& spans);
    [[nodiscard]] bool isEmpty() const { return m_shown.second < 0; }
    [[nodiscard]] int firstBatch() const { return m_shown.first; } // 0-based; needs a batch
    [[nodiscard]] int lastBatch() const { return m_shown.second; }
    [[nodiscard]] std::size_t spanCount() const { return m_spans.size(); } // all that is kept

    [[nodiscard]] const BatchesPart& run() const { return m_run; }
    // Renumbered to the batches shown; the whole prediction before a batch is measured.
    [[nodiscard]] BatchesPart plan() const;
    [[nodiscard]] double stepSeconds() const; // measured; 0 with fewer than two batches
    // Measured, over whole periods without the run's filling; nothing before there is one.
    [[nodiscard]] std::optional<double> bubbleFraction() const;
    [[nodiscard]] std::optional<LateOperation> late() const;
    [[nodiscard]] std::vector<DeviceWait> waits() const; // by device

private:
    struct Batch {
        double begin = 1e300; // of its first forward on the first stage
        double lastBackward = -1e300, lastEnd = -1e300;
        std::size_t forwards = 0, gradients = 0;
        [[nodiscard]] bool begun() const { return begin < 1e300; }
    };
    using Batches = std::map<int, Batch>;
    static void note(Batches& batches, const Span& span);
    static int microbatchesOf(const Batch& batch, int stages);
    static BatchesPart part(
        Trace trace, const Batches& batches, std::pair<int, int> shown, int filling);
    [[nodiscard]] bool isWhole(const Batch& batch) const;
    void chooseShown();
    void forget();
    void buildRun();
    std::vector<Span> m_spans; // of the batches shown, of the one before, and all that is newer
    Batches m_batches; // those of m_spans
    std::pair<int, int> m_shown { -1, -1 };
    BatchesPart m_run;
    std::vector<DeviceTime> m_times; // of m_run
    std::shared_ptr<const Prediction> m_prediction;
    Batches m_planned;
};

} // namespace stageloom
