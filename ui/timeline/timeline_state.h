// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_model.h"
#include "ui/timeline/view_history.h"
#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

namespace stageloom {

// Over: a pinned plan above the plan, on one clock.
enum class TimelineMode { Plan, Run, Both, Difference, Over };

// What one looks at in a timeline, without a widget: several views may share one. GUI thread only.
class TimelineState : public QObject {
    Q_OBJECT
public:
    explicit TimelineState(QObject* parent = nullptr);

    [[nodiscard]] TimeRange extent() const { return m_extent; }
    [[nodiscard]] TimeRange visible() const { return m_visible; }
    // Keeps what is visible; shows all where all was shown before.
    void setExtent(const TimeRange& extent);
    // What a person moves to can be left again with back(); what follows from new content cannot.
    void setVisible(const TimeRange& range);
    void zoom(double factor, double anchor);
    void pan(double by);
    void fit() { setVisible(m_extent); }
    void fit(const TimeRange& part); // with a margin; all where that is what is in sight already
    void center(double time);
    void back(); // to what was in sight before the last jump or gesture
    [[nodiscard]] bool canGoBack() const { return !m_history.empty(); }
    // Everything between the two is one step for back(): a drag, however long it rests.
    void beginGesture() { m_history.begin(); }
    void endGesture() { m_history.end(); }
    // Milliseconds from any origin, for telling gestures apart; a clock where none is given.
    void setClock(std::function<std::int64_t()> clock) { m_now = std::move(clock); }

    [[nodiscard]] std::optional<TimeRange> selection() const { return m_selection; }
    void select(std::optional<TimeRange> range);
    [[nodiscard]] std::optional<SpanRef> hover() const { return m_hover; }
    void setHover(std::optional<SpanRef> span);
    // The operation whose details stay in the pane.
    [[nodiscard]] std::optional<SpanRef> selected() const { return m_selected; }
    void setSelected(std::optional<SpanRef> span);
    [[nodiscard]] std::optional<int> microbatch() const { return m_microbatch; }
    void followMicrobatch(std::optional<int> microbatch); // 0-based
    [[nodiscard]] TimelineMode mode() const { return m_mode; }
    void setMode(TimelineMode mode);

    [[nodiscard]] const QString& search() const { return m_search; }
    [[nodiscard]] const std::vector<SpanRef>& hits() const { return m_hits; }
    [[nodiscard]] std::optional<SpanRef> currentHit() const;
    [[nodiscard]] int hit() const { return static_cast<int>(m_hit); } // its place among the hits
    [[nodiscard]] bool hitsCut() const { return m_hitsCut; } // they are the first of more
    void setSearch(const QString& text, std::vector<SpanRef> hits, bool cut = false);
    void nextHit(int by); // +1, -1; wraps round

signals:
    void extentChanged();
    void visibleChanged();
    void selectionChanged();
    void hoverChanged();
    void selectedChanged();
    void microbatchChanged();
    void modeChanged();
    void searchChanged();

private:
    TimeRange m_extent, m_visible;
    std::optional<TimeRange> m_selection;
    std::optional<SpanRef> m_hover, m_selected;
    std::optional<int> m_microbatch;
    std::vector<SpanRef> m_hits;
    QString m_search;
    std::size_t m_hit = 0;
    TimelineMode m_mode = TimelineMode::Plan;
    bool m_hitsCut = false;
    ViewHistory m_history;
    QElapsedTimer m_clock;
    std::function<std::int64_t()> m_now = [this] { return m_clock.elapsed(); };
    void move(const TimeRange& range, bool step);
    void show(const TimeRange& range);
    [[nodiscard]] double shortest() const { return m_extent.length() * 1e-7; }
};

} // namespace stageloom
