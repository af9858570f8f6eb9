// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHeaderView;

namespace stageloom {

class LayersModel;

// Sums under a table of layers, each under its column.
class TotalsRow : public QWidget {
    Q_OBJECT
public:
    TotalsRow(const LayersModel& layers, QHeaderView* header, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const LayersModel& m_layers;
    QHeaderView* m_header; // not owned: the table's
};

} // namespace stageloom
