// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sim/gaps.h"
#include "ui/state/latest_job.h"
#include "ui/state/predictor.h"
#include <QWidget>

namespace stageloom {

// What the devices' idle time of a steady batch goes to, as shares of all device time: the whole
// bar is the steady bubble.
using IdleShares = std::array<double, kIdleCauses>;

// The shares of one prediction. A long trace is read off the window's thread; until then there are
// none, never those of another plan.
class IdleReading : public QObject {
    Q_OBJECT
public:
    explicit IdleReading(QObject* parent = nullptr);
    void read(const Predictor::Shared& prediction); // null: none
    [[nodiscard]] const std::optional<IdleShares>& shares() const { return m_shares; }

signals:
    void changed();

private:
    void start();
    Predictor::Shared m_wanted, m_reading;
    std::optional<IdleShares> m_shares;
    LatestJob<IdleShares> m_job;
};

// Idle device time of one plan or two as stacked bars, and their causes as a table with sums.
class IdleBars : public QWidget {
    Q_OBJECT
public:
    explicit IdleBars(QWidget* parent = nullptr);
    void show(const std::optional<IdleShares>& now, const std::optional<IdleShares>& other,
        const QString& mark, const QString& otherMark);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override; // of the bars: a low window has no table
    // Cause, shares of both, difference: as it is drawn, for tooltips and the screen reader.
    [[nodiscard]] QStringList rows() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Row {
        QString name;
        IdleCause cause; // whose hue it has
        double now = 0, other = 0;
    };
    [[nodiscard]] std::vector<Row> table() const;
    void paintBar(QPainter& painter, const IdleShares& shares, const QString& mark, int top,
        double whole) const;
    std::optional<IdleShares> m_now, m_other;
    QString m_mark, m_otherMark;
};

} // namespace stageloom
