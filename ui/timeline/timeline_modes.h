// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_state.h"
#include <QWidget>

class QButtonGroup;

namespace stageloom {

class TimelineView;

// Predicted, Measured, Both, Difference: which of the two traces a timeline shows.
class TimelineModes : public QWidget {
    Q_OBJECT
public:
    TimelineModes(TimelineView& view, TimelineMode first, QWidget* parent = nullptr);
    // A over B, Difference: of two plans; in sight while there are two.
    [[nodiscard]] static TimelineModes* ofPlans(TimelineView& view);
    // Without a prediction only the measurement can be shown; `why` is said where one would look.
    void setPlanned(bool planned, const QString& why = {});

private:
    TimelineView& m_view;
    TimelineMode m_wanted; // comes back with the next prediction
    QButtonGroup* m_group; // ids are modes
    using Named = std::pair<QString, TimelineMode>;
    TimelineModes(TimelineView& view, TimelineMode first, const QList<Named>& modes);
    void choose(TimelineMode mode);
};

} // namespace stageloom
