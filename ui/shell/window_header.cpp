// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window_header.h"

#include "ui/state/workspace.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/page.h"
#include "ui/widgets/panel.h"
#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>

namespace stageloom {

WindowHeader::WindowHeader(QWidget* parent)
    : QWidget(parent)
    , m_title(new ElidedLabel("document"))
    , m_subtitle(makeLabel(QString(), "caption"))
    , m_actions(new QHBoxLayout)
{
    setObjectName(QStringLiteral("header"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(Theme::scaled(52));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(24, 0, 24, 0);
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed); // cut before the buttons are
    layout->addWidget(m_title);
    layout->addSpacing(16);
    m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_subtitle->setTextFormat(Qt::PlainText);
    layout->addWidget(m_subtitle, 1);
    m_actions->setSpacing(8);
    layout->addLayout(m_actions);
}

void WindowHeader::showActions(const Page& page, QWidget* before)
{
    // Buttons stay children of this layout only while their page is shown.
    while (QLayoutItem* item = m_actions->takeAt(0)) {
        item->widget()->hide();
        delete item;
    }
    for (QWidget* action : page.actions()) {
        m_actions->addWidget(action);
        action->show();
        setTabOrder(before, action);
        before = action;
    }
}

void WindowHeader::showWords(const Page& page)
{
    if (const QString title = page.title(); title != m_title->words()) {
        m_title->ensurePolished(); // its width is that of its own font
        m_title->setWords(title);
        m_title->updateGeometry(); // only then: each frame of a drag comes by here
    }
    m_subtitle->setText(page.subtitle());
}

ProgressLine::ProgressLine(const Workspace& workspace, QWidget* parent)
    : QProgressBar(parent)
    , m_workspace(workspace)
{
    setObjectName(QStringLiteral("line"));
    setTextVisible(false);
    setFixedHeight(2);
    setAccessibleName(tr("Progress"));
    connect(&workspace, &Workspace::busyChanged, this, &ProgressLine::showWork);
    connect(&workspace.live, &LiveRun::statusChanged, this, &ProgressLine::showWork);
    connect(&workspace.live, &LiveRun::ended, this, &ProgressLine::showWork);
}

void ProgressLine::showWork()
{
    const LiveRun& run = m_workspace.live;
    const bool active = run.isActive();
    const RunStatus& status = run.status();
    const bool unknown = active ? status.steps == 0 : !m_workspace.busyWith().isEmpty();
    setRange(0, unknown ? 0 : std::max(1, static_cast<int>(status.steps)));
    setValue(active ? static_cast<int>(status.step) : 0);
}

StopButton::StopButton(Workspace& workspace, QWidget* parent)
    : QToolButton(parent)
    , m_workspace(workspace)
{
    setText(tr("Stop"));
    setToolTip(tr("Stop reading or looking; what is shown stays"));
    hide();
    m_patience.setSingleShot(true);
    m_patience.setInterval(400); // ms: shorter work needs no button
    connect(&m_patience, &QTimer::timeout, this, &QWidget::show);
    connect(this, &QToolButton::clicked, &workspace, &Workspace::stopBusy);
    connect(&workspace, &Workspace::busyChanged, this, &StopButton::follow);
}

void StopButton::follow()
{
    if (m_workspace.busyWith().isEmpty()) {
        m_patience.stop();
        hide();
    } else if (!m_patience.isActive() && isHidden()) {
        m_patience.start();
    }
}

} // namespace stageloom
