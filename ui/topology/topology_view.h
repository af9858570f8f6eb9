// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/machine_painter.h"
#include <QWidget>

namespace stageloom {

// The machine drawn: devices in their servers and NUMA nodes, and what joins them. A click chooses
// a device or a link, a second one with Shift or Ctrl the pair; Delete unplugs or removes it.
class TopologyView : public QWidget {
    Q_OBJECT
public:
    explicit TopologyView(TopologyState& state, QWidget* parent = nullptr);
    // Keys and what they do, for Help.
    [[nodiscard]] static std::vector<std::pair<QString, QString>> shortcuts();
    void setPlan(const PlanOnMachine& plan);
    void setNumbers(LinkNumbers numbers);
    // Devices that a what-if row takes away, or the pair whose link; none: nothing is dashed.
    void setWhatIf(std::vector<int> devices, bool link);
    [[nodiscard]] QRectF deviceRect(int index) const;
    [[nodiscard]] QPointF linkPoint(int a, int b) const; // a place on a drawn link
    [[nodiscard]] QSize sizeHint() const override { return { 640, 420 }; }
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void place();
    [[nodiscard]] MachineSelection at(const QPointF& point) const;
    [[nodiscard]] QString textOf(const MachineSelection& what) const;

    TopologyState& m_state;
    MachineLayout m_layout;
    MachineMarks m_marks;
};

} // namespace stageloom
