// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_model.h"
#include <QWidget>

namespace stageloom {

class TimelineView;

// How busy all devices are over the whole of what a timeline shows, a track a trace, and the window
// that is in sight, to be dragged by its middle and its edges. A click elsewhere brings it there.
class OverviewBar : public QWidget {
    Q_OBJECT
public:
    explicit OverviewBar(TimelineView& view, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return { 80, sizeHint().height() }; }
    // Where the window is drawn.
    [[nodiscard]] QRectF window() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum class Grip { None, Begin, End, Whole };
    struct Track {
        QString name;
        TraceSide side;
        std::vector<double> busy; // by column
    };
    TimelineView& m_view;
    std::vector<Track> m_tracks;
    bool m_known = false;
    Grip m_held = Grip::None;
    double m_grabbed = 0; // time under the mouse when it was pressed
    TimeRange m_from; // what was in sight then
    void contentChanged();
    void derive();
    [[nodiscard]] TimeScale scale() const;
    [[nodiscard]] Grip gripAt(double x) const;
};

} // namespace stageloom
