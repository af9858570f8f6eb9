// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_timeline.h"
#include <QWidget>

class QPushButton;
class QStackedLayout;

namespace stageloom {

class ElidedLabel;
class EmptyNotice;
class WorkLine;
class TimelineModes;
class TimelineTools;
class TimelineView;

// The whole measured timeline of one run, with what its own plan foresaw above it.
class RunsTimelineTab : public QWidget {
    Q_OBJECT
public:
    explicit RunsTimelineTab(RunTimeline& timeline, QWidget* parent = nullptr);
    void showRun(RunId id, bool goesOn); // none: what to do
    bool openSearch(); // false where there is nothing to search
    [[nodiscard]] bool isBusy() const { return m_timeline.isBusy(); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    enum Stack { Notice, Reading, Content };
    QWidget* buildContent();
    void load();
    void showState();
    void showProgress();
    void showNotice(const QString& hint, const QString& remedy = {});
    void showParts();

    RunTimeline& m_timeline;
    RunId m_id;
    bool m_goesOn = false;
    bool m_due = false; // chosen while hidden: traces are large, so only read to be seen
    QStackedLayout* m_stack;
    EmptyNotice* m_notice;
    QPushButton* m_again; // below the notice
    WorkLine* m_progress;
    TimelineView* m_view;
    TimelineModes* m_modes;
    TimelineTools* m_tools;
    ElidedLabel* m_caption;
    QPushButton* m_newer; // reads a run that goes on once more
};

} // namespace stageloom
