// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/prediction.h"
#include "ui/plan/strip_layout.h"
#include <QWidget>
#include <memory>

namespace stageloom {

// The layers cut into stages. Borders are dragged, stages are dragged onto devices, a double click
// toggles recompute, the context menu and the keys have the rest: Up and Down choose a stage, Left
// and Right move its border, R recompute, S split, M merge. It only asks: the document edits.
class StageStrip : public QWidget {
    Q_OBJECT
public:
    explicit StageStrip(QWidget* parent = nullptr);
    // Keys and what they do, for Help.
    [[nodiscard]] static std::vector<std::pair<QString, QString>> shortcuts();
    void setPlan(const Plan& plan);
    // Null: none, and the stages stand without times and memory.
    void setPrediction(std::shared_ptr<const Prediction> prediction);
    // Another plan's borders, dashed where they differ; null: none.
    void setGhost(const Plan* plan);
    [[nodiscard]] StripLayout layoutNow() const;
    void chooseStage(int stage); // with the keyboard's focus
    [[nodiscard]] int chosenStage() const { return m_chosen; }
    // Of the stage under a place of the screen, within the strip; -1: none.
    [[nodiscard]] int stageUnder(const QPoint& globalPosition) const;
    void setDropTarget(int stage); // outlined while another is held over it; -1: none
    [[nodiscard]] QSize sizeHint() const override { return { 600, 122 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 240, 122 }; }

signals:
    void gestureStarted();
    void borderMoved(int border, int firstLayer);
    void recomputeToggled(int stage);
    void splitAsked(int firstLayer);
    void mergeAsked(int border);
    void deviceAsked(int stage, int device);
    // A stage is held over, or let go at, a place of the screen.
    void stageHeld(int stage, const QPoint& globalPosition);
    void stageDropped(int stage, const QPoint& globalPosition);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int layerCount() const;
    void paintStage(QPainter& painter, const StripLayout& strip, int stage) const;
    void paintColumn(QPainter& painter, const StripLayout& strip, int stage) const;
    void paintMemory(QPainter& painter, const QRectF& column, int stage) const;
    void paintGhost(QPainter& painter, const StripLayout& strip) const;
    [[nodiscard]] const StagePrediction* predictionOf(int stage) const;
    [[nodiscard]] QString memoryText(int stage) const;
    [[nodiscard]] QString memoryParts(int stage) const;
    void paintBorder(QPainter& painter, const StripLayout& strip, int border) const;
    [[nodiscard]] QString stageTime(int stage) const; // of a microbatch
    [[nodiscard]] QString stageSummary(int stage) const;
    [[nodiscard]] QString stageWords(int stage) const;
    void moveBorder(int border, int firstLayer);
    void askSplit(int stage, int firstLayer);
    [[nodiscard]] int chosenBorder() const; // right of the chosen stage, left of the last one; -1
    [[nodiscard]] QString deviceName(int device) const;

    Plan m_plan;
    std::shared_ptr<const Prediction> m_prediction;
    std::vector<int> m_ghost; // first layers of the other plan's stages but the first
    int m_dropTarget = -1;
    int m_dragged = -1, m_hover = -1; // borders
    int m_chosen = 0, m_pressed = -1; // stages
    bool m_held = false; // the pressed stage left its place
    QPointF m_pressPosition;
};

} // namespace stageloom
