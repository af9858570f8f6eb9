// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/runs_model.h"
#include <QSet>
#include <QTimer>
#include <QTreeView>

class QMenu;

namespace stageloom {

// The view of the runs. A tick is a selected row: ticks choose curves, and stay when the current
// row, that single-run actions go to, moves on; with one tick or none the tick goes along. Keeps
// ticks, current row, scroll position and closed sections while the model changes under it, and
// holds a refresh back while somebody writes in it.
class RunsTable : public QTreeView {
    Q_OBJECT
public:
    static constexpr int kRow = 26, kTick = 28; // px: a row; the room of its tick
    explicit RunsTable(RunsModel& model, QWidget* parent = nullptr);
    void showRuns(const RunEntries& entries);
    void commitOpenEditor(); // before the rows move for another reason
    [[nodiscard]] std::vector<RunId> chosen() const { return m_chosen; } // as the table orders them
    [[nodiscard]] RunId current() const { return m_currentRun; } // else the first chosen; or none
    void choose(const std::vector<RunId>& ids);
    void choose(RunId id) { choose(std::vector<RunId> { id }); }
    [[nodiscard]] const RunsModel& runsModel() const { return m_model; }
    void fillColumnsMenu(QMenu& menu); // a checkable entry a column
    [[nodiscard]] int contentHeight() const; // header and rows, those of closed sections left out

signals:
    void chosenChanged(); // other ticks, or another current row
    void contentHeightChanged();
    void deleteAsked();
    void baselineAsked(stageloom::RunId id); // the row that has the focus

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    void drawBranches(
        QPainter* painter, const QRect& rect, const QModelIndex& index) const override;
    QItemSelectionModel::SelectionFlags selectionCommand(
        const QModelIndex& index, const QEvent* event) const override;

private:
    void setUpColumns();
    void readColumns();
    void setColumnShown(int column, bool shown);
    void setHidesSame(bool on);
    void showColumns(); // those that were chosen, without what is the same for all where asked
    void fitWidthsAgain();
    void measureColumns(); // what their words need
    void fitColumns(); // so that nothing scrolls sideways, where words have width to give
    void remember();
    void restore();
    void noteChosen();
    void saveColumns() const;
    [[nodiscard]] bool isBarred(RunField field) const; // has nothing to show now

    RunsModel& m_model;
    RunEntries m_waiting; // entries that came while somebody wrote
    std::vector<RunId> m_chosen;
    RunId m_currentRun;
    RunId m_current, m_top; // across a reset; m_top: the first row in sight, none at the very top
    QSet<QString> m_closed; // titles of sections
    bool m_restoring = false, m_fitting = false;
    bool m_ownWidths = false; // somebody dragged a column's edge; kept over a restart
    bool m_hidesSame = false; // columns that are the same for all runs shown
    std::vector<bool> m_shownColumns; // as chosen, by field
    std::vector<int> m_wanted; // px, by field
    QTimer m_saveDelay; // a drag writes the settings once
};

} // namespace stageloom
