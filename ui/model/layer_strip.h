// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/operators.h"
#include "ui/model/layer_measure.h"
#include <QWidget>

namespace stageloom {

// The whole model from the first layer down to the last, as high as their values and in the hues
// of a plan's stages; beside it the parts of one layer in shares of it.
class LayerStrip : public QWidget {
    Q_OBJECT
public:
    explicit LayerStrip(QWidget* parent = nullptr);
    // Keys and what they do, for Help.
    [[nodiscard]] static std::vector<std::pair<QString, QString>> shortcuts();
    void setLayers(const std::vector<Layer>& layers);
    void setValues(LayerMeasure measure, std::vector<double> values);
    void setStages(std::vector<int> stageOf); // by layer; empty: no plan of this model
    // Of the layer chosen, or of a block; values in shares. No values: nothing beside the model.
    void setParts(std::vector<Operator> parts, std::vector<double> values);
    void setCurrent(int layer, int part = -1); // -1: none
    void setKept(std::vector<bool> kept); // by layer: what a search leaves; the others are pale
    [[nodiscard]] int current() const { return m_current; }
    [[nodiscard]] QRectF blockRect(int layer) const;
    [[nodiscard]] QRectF partRect(int part) const;
    [[nodiscard]] QSize sizeHint() const override { return { 216, 420 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 160, 160 }; }

signals:
    void chosen(int layer, int part); // by hand

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Hit {
        int layer = -1, part = -1;
        bool operator==(const Hit&) const = default;
    };
    void place();
    void choose(int layer, int part);
    [[nodiscard]] Hit at(const QPointF& point) const;
    [[nodiscard]] int shownLayer() const; // whose parts are beside the model
    void paintStages(QPainter& painter) const;
    void paintBlock(QPainter& painter, std::size_t layer) const;
    void paintParts(QPainter& painter) const;
    [[nodiscard]] QString text(const Hit& hit) const;

    std::vector<Layer> m_layers;
    std::vector<Operator> m_parts;
    LayerMeasure m_measure = LayerMeasure::Parameters;
    std::vector<double> m_values, m_partValues; // one a layer; one a part
    std::vector<int> m_stages;
    std::vector<QRectF> m_blocks, m_partRects;
    std::vector<bool> m_kept; // empty: all
    int m_current = -1, m_part = -1;
    Hit m_hovered;
};

} // namespace stageloom
