// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/topology.h"
#include <QWidget>

namespace stageloom {

// The kinds of link of a machine, each drawn as it is in the picture, with how many pairs it joins.
class LinkLegend : public QWidget {
    Q_OBJECT
public:
    explicit LinkLegend(QWidget* parent = nullptr);
    void setTopology(const Topology& topology);
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Entry {
        LinkKind kind;
        double bandwidth; // 0: not known
        QString text;
    };
    [[nodiscard]] std::vector<QRect> places(int width) const;
    std::vector<Entry> m_entries;
};

} // namespace stageloom
