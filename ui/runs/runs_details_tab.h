// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_facts_model.h"
#include "ui/widgets/log_model.h"
#include <QWidget>

class QStackedLayout;
class QTableView;

namespace stageloom {

class LogView;

// What one run was started with, on which machine, what came out and what it said.
class RunsDetailsTab : public QWidget {
    Q_OBJECT
public:
    explicit RunsDetailsTab(RunComparison& comparison, QWidget* parent = nullptr);
    void showRun(RunId id); // none: what to do

private:
    void showDetails();

    RunComparison& m_comparison;
    RunFactsModel m_facts;
    LogModel m_log;
    RunId m_id, m_shown;
    std::size_t m_lines = 0; // of the log, shown
    QStackedLayout* m_stack;
    QTableView* m_table;
    LogView* m_logView;
};

} // namespace stageloom
