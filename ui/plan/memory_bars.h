// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/prediction.h"
#include <QWidget>
#include <memory>
#include <vector>

namespace stageloom {

// Memory of each device, stacked by category against its capacity. Devices without a stage follow
// as free ones. A stage of the strip above may be dropped on a row.
class MemoryBars : public QWidget {
    Q_OBJECT
public:
    explicit MemoryBars(QWidget* parent = nullptr);
    void setPrediction(const Plan& plan, std::shared_ptr<const Prediction> prediction);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] int rowCount() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] int deviceAt(const QPoint& position) const; // -1: none
    void setDropTarget(int device); // outlined while a stage is held over it; -1: none

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Row {
        int device = 0, stage = -1; // stage -1: the device is free
        QString name;
        double capacity = 0; // bytes; 0: not known
    };
    void paintRow(QPainter& painter, int index, double scale) const;
    void paintNumbers(QPainter& painter, const QRectF& row, double total, double capacity) const;
    void showRow(int row); // its words, as the mouse gets them
    [[nodiscard]] QString rowText(const Row& row) const;
    [[nodiscard]] const StagePrediction* predictionOf(const Row& row) const;
    std::shared_ptr<const Prediction> m_prediction;
    std::vector<Row> m_rows;
    int m_dropTarget = -1;
    int m_current = 0; // row that the keyboard is on
};

// The colours of the categories with their names, in a line.
class MemoryLegend : public QWidget {
    Q_OBJECT
public:
    explicit MemoryLegend(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] static QStringList names();
};

} // namespace stageloom
