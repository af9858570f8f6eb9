// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_model.h"
#include <QObject>
#include <QString>
#include <optional>
#include <vector>

namespace stageloom {

enum class TimelineMode { Plan, Run, Both, Difference };

// What one looks at in a timeline, without a widget: several views may share one. GUI thread only.
class TimelineState : public QObject {
    Q_OBJECT
public:
    explicit TimelineState(QObject* parent = nullptr);

    [[nodiscard]] TimeRange extent() const { return m_extent; }
    [[nodiscard]] TimeRange visible() const { return m_visible; }
    // Keeps what is visible; shows all where all was shown before, and the newest while following.
    void setExtent(const TimeRange& extent);
    void setVisible(const TimeRange& range);
    void zoom(double factor, double anchor);
    void pan(double by);
    void fit() { setVisible(m_extent); }
    void center(double time);

    [[nodiscard]] std::optional<TimeRange> selection() const { return m_selection; }
    void select(std::optional<TimeRange> range);
    [[nodiscard]] std::optional<SpanRef> hover() const { return m_hover; }
    void setHover(std::optional<SpanRef> span);
    [[nodiscard]] std::optional<int> microbatch() const { return m_microbatch; }
    void followMicrobatch(std::optional<int> microbatch); // 0-based
    [[nodiscard]] bool following() const { return m_following; } // the newest stays in sight
    void setFollowing(bool on);
    [[nodiscard]] TimelineMode mode() const { return m_mode; }
    void setMode(TimelineMode mode);

    [[nodiscard]] const QString& search() const { return m_search; }
    [[nodiscard]] const std::vector<SpanRef>& hits() const { return m_hits; }
    [[nodiscard]] std::optional<SpanRef> currentHit() const;
    [[nodiscard]] int hit() const { return static_cast<int>(m_hit); } // its place among the hits
    void setSearch(const QString& text, std::vector<SpanRef> hits);
    void nextHit(int by); // +1, -1; wraps round

signals:
    void extentChanged();
    void visibleChanged();
    void selectionChanged();
    void hoverChanged();
    void microbatchChanged();
    void followingChanged();
    void modeChanged();
    void searchChanged();

private:
    TimeRange m_extent, m_visible;
    std::optional<TimeRange> m_selection;
    std::optional<SpanRef> m_hover;
    std::optional<int> m_microbatch;
    std::vector<SpanRef> m_hits;
    QString m_search;
    std::size_t m_hit = 0;
    TimelineMode m_mode = TimelineMode::Plan;
    bool m_following = false;
    [[nodiscard]] double shortest() const { return m_extent.length() * 1e-7; }
};

} // namespace stageloom
