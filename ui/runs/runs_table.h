// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/runs_model.h"
#include <QSet>
#include <QTimer>
#include <QTreeView>

class QMenu;

namespace stageloom {

// The view of the runs. Keeps chosen runs, scroll position and closed sections while the model
// changes under it, and holds a refresh back while somebody writes in it.
class RunsTable : public QTreeView {
    Q_OBJECT
public:
    explicit RunsTable(RunsModel& model, QWidget* parent = nullptr);
    void showRuns(const RunEntries& entries);
    void commitOpenEditor(); // before the rows move for another reason
    [[nodiscard]] std::vector<RunId> chosen() const { return m_chosen; } // as the table orders them
    void choose(const std::vector<RunId>& ids);
    void choose(RunId id) { choose(std::vector<RunId> { id }); }
    void fillColumnsMenu(QMenu& menu); // a checkable entry a column

signals:
    void chosenChanged();
    void deleteAsked();
    void baselineAsked(stageloom::RunId id); // the row that has the focus

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;

private:
    void setUpColumns();
    void readColumns();
    void setColumnShown(int column, bool shown);
    void setHidesSame(bool on);
    void showColumns(); // those that were chosen, without what is the same for all where asked
    void fitWidthsAgain();
    void fitColumns(); // so that nothing scrolls sideways, where words have width to give
    void remember();
    void restore();
    void noteChosen();
    void saveColumns() const;

    RunsModel& m_model;
    RunEntries m_waiting; // entries that came while somebody wrote
    std::vector<RunId> m_chosen;
    RunId m_current, m_top; // across a reset; m_top: the first row in sight, none at the very top
    QSet<QString> m_closed; // titles of sections
    bool m_restoring = false, m_fitting = false;
    bool m_ownWidths = false; // somebody dragged a column's edge; kept over a restart
    bool m_hidesSame = false; // columns that are the same for all runs shown
    std::vector<bool> m_shownColumns; // as chosen, by field
    QTimer m_saveDelay; // a drag writes the settings once
};

} // namespace stageloom
