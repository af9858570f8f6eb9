// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/prediction.h"
#include "ui/pages/strip_layout.h"
#include <QWidget>
#include <memory>

namespace stageloom {

// The layers cut into stages. Borders are dragged (or moved by Left and Right once chosen with
// Tab), a double click or R toggles recompute of a stage. It only asks: the document edits.
class StageStrip : public QWidget {
    Q_OBJECT
public:
    explicit StageStrip(QWidget* parent = nullptr);
    void setPlan(const Plan& plan);
    void setPrediction(std::shared_ptr<const Prediction> prediction);
    [[nodiscard]] StripLayout layoutNow() const;
    [[nodiscard]] QSize sizeHint() const override { return { 600, 104 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 240, 104 }; }

signals:
    void gestureStarted();
    void borderMoved(int border, int firstLayer);
    void recomputeToggled(int stage);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int layerCount() const;
    void paintStage(QPainter& painter, const StripLayout& strip, int stage) const;
    void paintWords(QPainter& painter, const StripLayout& strip, int stage) const;
    void paintBorder(QPainter& painter, const StripLayout& strip, int border) const;
    [[nodiscard]] QString stageSummary(int stage) const;
    [[nodiscard]] QString stageWords(int stage) const;
    void moveBorder(int border, int firstLayer);

    Plan m_plan;
    std::shared_ptr<const Prediction> m_prediction;
    int m_dragged = -1, m_hover = -1, m_chosen = 0;
};

} // namespace stageloom
