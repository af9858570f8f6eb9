// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/idle_bars.h"
#include <QFrame>

class QGridLayout;
class QLabel;

namespace stageloom {

class ElidedLabel;
class MarkLabel;

// A plan as it stands in a column of numbers.
struct PlanColumn {
    Predictor::Shared prediction; // null: no numbers
    QString mark; // "B", "A", or a word
    QString tip; // its name
};

// The numbers of the plan in hand beside those of the pinned or the saved one, and what its idle
// time goes to. Only differences have colours.
class SummaryPanel : public QFrame {
    Q_OBJECT
public:
    explicit SummaryPanel(QWidget* parent = nullptr);
    // `reason`: why there are no numbers; empty where there are.
    void show(const PlanColumn& now, const PlanColumn& other, const QString& reason);
    // What a row shows: now, other, difference. For tests and the screen reader.
    [[nodiscard]] QStringList row(int index) const;

private:
    enum Row { Step, Rate, Bubble, Ends, Memory, Delay, RowCount };
    void put(int row, const QString& now, const QString& other, const QString& change,
        const QColor& colour);
    void putNumber(int row, double now, double other, bool lowIsGood, const QString& text,
        const QString& otherText);
    void showRows(const Prediction& now, const Prediction* other);
    void showNone(const QString& reason);
    void showIdle();

    QGridLayout* m_grid;
    ElidedLabel *m_caption, *m_name[RowCount], *m_now[RowCount], *m_other[RowCount],
        *m_change[RowCount];
    MarkLabel *m_nowHead, *m_otherHead, *m_changeHead;
    QLabel *m_reason, *m_idleTitle;
    IdleReading m_idle, m_otherIdle;
    IdleBars* m_bars;
    PlanColumn m_shown, m_compared;
};

} // namespace stageloom
