// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_modes.h"

#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/panel.h"
#include <QButtonGroup>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QPushButton>

namespace stageloom {

namespace {

constexpr int kButtonMargin = 34; // px, with the frame

} // namespace

TimelineModes::TimelineModes(TimelineView& view, TimelineMode first, QWidget* parent)
    : TimelineModes(view, first,
        { { tr("Predicted"), TimelineMode::Plan }, { tr("Measured"), TimelineMode::Run },
            { tr("Both"), TimelineMode::Both }, { tr("Difference"), TimelineMode::Difference } })
{
    setParent(parent);
    setPlanned(true);
}

TimelineModes::TimelineModes(TimelineView& view, TimelineMode first, const QList<Named>& modes)
    : m_view(view)
    , m_wanted(first)
    , m_group(new QButtonGroup(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    letTabReachTheChosen(*m_group);
    for (const auto& [name, mode] : modes) {
        auto* button = new QPushButton(name);
        button->setCheckable(true);
        button->setToolTip(tr("Show: %1").arg(name));
        // The chosen one is written bolder, and must not be cut for it.
        button->setMinimumWidth(
            QFontMetrics(theme().titleFont()).horizontalAdvance(name) + kButtonMargin);
        m_group->addButton(button, static_cast<int>(mode));
        row->addWidget(button);
    }
    connect(m_group, &QButtonGroup::idClicked, this, [this](int id) {
        m_wanted = static_cast<TimelineMode>(id);
        choose(m_wanted);
    });
}

TimelineModes* TimelineModes::ofPlans(TimelineView& view)
{
    auto* modes = new TimelineModes(view, TimelineMode::Over,
        { { tr("A over B"), TimelineMode::Over }, { tr("Difference"), TimelineMode::Difference } });
    const auto follow = [modes] {
        modes->setVisible(modes->m_view.isCompared());
        const auto now = static_cast<int>(modes->m_view.state().mode());
        if (QAbstractButton* button = modes->m_group->button(now))
            button->setChecked(true);
    };
    connect(&view, &TimelineView::tracesChanged, modes, follow);
    follow();
    return modes;
}

void TimelineModes::choose(TimelineMode mode)
{
    m_group->button(static_cast<int>(mode))->setChecked(true);
    m_view.setMode(mode);
}

void TimelineModes::setPlanned(bool planned, const QString& why)
{
    for (QAbstractButton* button : m_group->buttons()) {
        const bool can = planned || m_group->id(button) == static_cast<int>(TimelineMode::Run);
        button->setEnabled(can);
        button->setToolTip(can ? tr("Show: %1").arg(button->text()) : why);
    }
    choose(planned ? m_wanted : TimelineMode::Run);
}

} // namespace stageloom
