// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/prediction.h"
#include <QWidget>
#include <memory>

namespace stageloom {

// Memory of each stage's device, stacked by category against its capacity.
class MemoryBars : public QWidget {
    Q_OBJECT
public:
    explicit MemoryBars(QWidget* parent = nullptr);
    void setPrediction(const Plan& plan, std::shared_ptr<const Prediction> prediction);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void paintRow(QPainter& painter, int stage, double scale) const;
    [[nodiscard]] QString rowText(int stage) const;
    [[nodiscard]] int rows() const;
    std::shared_ptr<const Prediction> m_prediction;
    QStringList m_names;
};

// The colours of the categories with their names, in a line.
class MemoryLegend : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    [[nodiscard]] QSize sizeHint() const override { return { 380, 18 }; }

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace stageloom
