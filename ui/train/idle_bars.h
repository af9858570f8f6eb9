// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/last_batches.h"
#include <QWidget>

namespace stageloom {

// What the devices' time goes to when they do not compute, of the batches shown: a stacked bar for
// the plan and one for the run, on one scale, and the causes with their shares as their legend. The
// shares sum to the bubble; no time axis stands above them.
class IdleBars : public QWidget {
    Q_OBJECT
public:
    using Shares = std::array<double, kIdleCauses>; // of devices × time
    explicit IdleBars(QWidget* parent = nullptr);
    void show(const LastBatches& batches);
    [[nodiscard]] const std::optional<Shares>& planned() const { return m_planned; }
    [[nodiscard]] const std::optional<Shares>& measured() const { return m_measured; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] std::vector<IdleCause> causes() const; // that take a share of either
    void paintBar(QPainter& painter, int y, const QString& name, const Shares& shares);
    std::optional<Shares> m_planned, m_measured;
};

} // namespace stageloom
