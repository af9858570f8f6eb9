// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_desk.h"

#include "ui/timeline/overview_bar.h"
#include "ui/timeline/span_pane.h"
#include "ui/timeline/timeline_view.h"
#include <QVBoxLayout>

namespace stageloom {

TimelineDesk::TimelineDesk(TimelineView* view, QWidget* parent)
    : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new OverviewBar(*view, this));
    column->addWidget(view, 1);
    column->addWidget(new SpanPane(*view, this));
}

} // namespace stageloom
