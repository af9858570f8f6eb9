// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/last_batches.h"
#include "ui/widgets/panel.h"

class QLabel;
class QToolButton;

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
    // The newest batches take the place of those shown; zooming or moving in time holds the
    // picture, showing all of it follows again.
    [[nodiscard]] bool isFollowing() const;
    [[nodiscard]] const QStringList& deviceNames() const;

private:
    QToolButton* makeFollow();
    void setFollowing(bool on);
    void showArrived(); // where the picture is not held
    void showBatches();
    void showCaption();
    void showFacts();
    LastBatches m_batches;
    std::shared_ptr<const Prediction> m_prediction;
    TimelineView* m_timeline;
    QToolButton* m_follow;
    QLabel *m_facts, *m_late;
    std::pair<int, int> m_shown { -1, -1 }; // first and last batch in the picture; -1: none
    std::size_t m_shownSpans = 0;
    double m_rss = 0;
    bool m_changing = false; // the range moves by an arrival, not by a hand
};

} // namespace stageloom
