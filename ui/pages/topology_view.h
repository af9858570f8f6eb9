// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/topology.h"
#include <QWidget>

namespace stageloom {

// Devices as boxes in rows of their server and NUMA node, links as lines coloured by kind.
class TopologyView : public QWidget {
    Q_OBJECT
public:
    explicit TopologyView(QWidget* parent = nullptr);
    void setTopology(const Topology& topology);
    [[nodiscard]] QSize sizeHint() const override { return { 600, 360 }; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void place();
    void paintLinks(QPainter& painter) const;
    void paintDevice(QPainter& painter, std::size_t index) const;
    void resizeEvent(QResizeEvent* event) override;
    Topology m_topology;
    std::vector<QRectF> m_boxes; // by position in m_topology.devices
};

} // namespace stageloom
