// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/topology.h"
#include <QPen>
#include <QWidget>

namespace stageloom {

// The kinds of link of a machine, each drawn as it is in the picture, with how many pairs it joins.
class LinkLegend : public QWidget {
    Q_OBJECT
public:
    explicit LinkLegend(QWidget* parent = nullptr);
    // `planned`: widths stand for bytes a step; `amber`: some go through host memory.
    void setTopology(const Topology& topology, bool planned, bool amber);
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Entry {
        QPen pen;
        QString text;
    };
    [[nodiscard]] std::vector<QRect> places(int width) const;
    std::vector<Entry> m_entries;
};

} // namespace stageloom
