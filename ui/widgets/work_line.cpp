// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/work_line.h"

#include "ui/widgets/panel.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace stageloom {

WorkLine::WorkLine(const QString& stopTip, QWidget* parent)
    : QWidget(parent)
    , m_text(makeLabel(QString(), "caption"))
    , m_bar(new QProgressBar)
{
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    m_bar->setTextVisible(false);
    m_bar->setFixedSize(200, 6);
    m_bar->setRange(0, 1000);
    auto* stop = new QPushButton(tr("Stop"));
    stop->setToolTip(stopTip);
    connect(stop, &QPushButton::clicked, this, &WorkLine::stopAsked);
    line->addStretch(1);
    line->addWidget(m_text);
    line->addWidget(m_bar);
    line->addWidget(stop);
    line->addStretch(1);
    hide();
}

void WorkLine::showProgress(const QString& text, double share)
{
    m_text->setText(text);
    m_bar->setAccessibleName(text);
    m_bar->setRange(0, share < 0 ? 0 : 1000); // 0 to 0: busy
    if (share >= 0)
        m_bar->setValue(static_cast<int>(1000 * share));
    show();
}

} // namespace stageloom
