// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace stageloom {

class TimelineView;

// A timeline with what belongs to it: an overview of the whole above, the details of what is
// selected at the foot. Takes the view.
class TimelineDesk : public QWidget {
    Q_OBJECT
public:
    explicit TimelineDesk(TimelineView* view, QWidget* parent = nullptr);
};

} // namespace stageloom
