// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/rail.h"

#include "ui/theme/theme.h"
#include "ui/widgets/panel.h"
#include <QButtonGroup>
#include <QIcon>
#include <QToolButton>
#include <QVBoxLayout>

namespace stageloom {

Rail::Rail(QWidget* parent)
    : QWidget(parent)
    , m_group(new QButtonGroup(this))
    , m_layout(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("rail"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedWidth(Theme::scaled(78));
    setAccessibleName(tr("Pages"));
    m_layout->setContentsMargins(4, 12, 4, 12);
    m_layout->setSpacing(8);
    m_layout->addStretch(1);
    connect(m_group, &QButtonGroup::idClicked, this, &Rail::pageChosen);
    letTabReachTheChosen(*m_group);
    connect(&themeNotifier(), &ThemeNotifier::changed, this, &Rail::recolour);
}

void Rail::addPage(const QString& icon, const QString& word, const QString& shortcut)
{
    auto* button = new QToolButton;
    button->setText(word);
    button->setProperty("icon_name", icon);
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setIconSize(QSize(26, 26));
    button->setFixedSize(Theme::scaled(70), Theme::scaled(60));
    button->setCheckable(true);
    button->setToolTip(tr("%1 (%2)").arg(word, shortcut));
    const int id = static_cast<int>(m_group->buttons().size());
    m_group->addButton(button, id);
    m_layout->insertWidget(id, button);
    recolour();
}

void Rail::setCurrent(int page)
{
    if (QAbstractButton* button = m_group->button(page))
        button->setChecked(true);
    recolour();
}

QWidget* Rail::last() const
{
    return m_group->buttons().last();
}

void Rail::recolour()
{
    for (QAbstractButton* button : m_group->buttons())
        button->setIcon(themedIcon(button->property("icon_name").toString(),
            button->isChecked() ? theme().accent : theme().muted));
}

} // namespace stageloom
