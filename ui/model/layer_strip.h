// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/layer.h"
#include "ui/model/layer_measure.h"
#include <QWidget>

namespace stageloom {

// A model's layers from the first down to the last, as high and as strong in colour as their
// values. A line joins a layer with the one whose weight it uses.
class LayerStrip : public QWidget {
    Q_OBJECT
public:
    explicit LayerStrip(QWidget* parent = nullptr);
    // Keys and what they do, for Help.
    [[nodiscard]] static std::vector<std::pair<QString, QString>> shortcuts();
    void setLayers(const std::vector<Layer>& layers);
    void setValues(LayerMeasure measure, std::vector<double> values);
    void setCurrent(int layer); // -1: none
    void setKept(std::vector<bool> kept); // by layer: what a search leaves; the others are pale
    [[nodiscard]] int current() const { return m_current; }
    [[nodiscard]] QRectF blockRect(int layer) const;
    [[nodiscard]] QSize sizeHint() const override { return { 176, 420 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 120, 160 }; }

signals:
    void layerChosen(int layer); // by hand

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void place();
    void choose(int layer);
    void paintBlock(QPainter& painter, std::size_t layer) const;
    void paintTies(QPainter& painter) const;
    [[nodiscard]] QString layerText(int layer) const;

    std::vector<Layer> m_layers;
    LayerMeasure m_measure = LayerMeasure::Parameters;
    std::vector<double> m_values; // one a layer
    double m_largest = 0;
    std::vector<QRectF> m_blocks;
    std::vector<bool> m_kept; // empty: all
    int m_current = -1, m_hovered = -1;
};

} // namespace stageloom
