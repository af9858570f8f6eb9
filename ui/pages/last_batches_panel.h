// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/panel.h"
#include "ui/state/last_batches.h"

class QLabel;

namespace stageloom {

class TimelineView;

// The newest batches as measured, under the same ones as predicted, on one clock; the one late
// operation named, and step time, bubble and memory of both in a line.
class LastBatchesPanel : public Panel {
    Q_OBJECT
public:
    explicit LastBatchesPanel(QWidget* parent = nullptr);
    void clear();
    void setPlanned(const Plan& plan, const std::shared_ptr<const Prediction>& prediction);
    void append(const std::vector<Span>& spans);
    void setMemory(double rssBytes); // measured, of the whole engine
    [[nodiscard]] const LastBatches& batches() const { return m_batches; }

private:
    void showBatches();
    void showFacts();
    LastBatches m_batches;
    std::shared_ptr<const Prediction> m_prediction;
    TimelineView* m_timeline;
    QLabel *m_facts, *m_late;
    double m_rss = 0, m_shownAt = -1;
};

} // namespace stageloom
