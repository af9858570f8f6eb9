// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/segments.h"

#include "ui/theme/theme.h"
#include "ui/widgets/panel.h"
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>

namespace stageloom {

namespace {

constexpr int kAround = 12; // px beside the words

QString tipOf(const QString& name, const QString& choice)
{
    return name + QStringLiteral(": ") + choice;
}

} // namespace

Segments::Segments(const QString& name, const QStringList& choices, QWidget* parent)
    : QFrame(parent)
    , m_group(new QButtonGroup(this))
{
    setObjectName(QStringLiteral("segments"));
    setAccessibleName(name);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(1, 1, 1, 1);
    row->setSpacing(0);
    letTabReachTheChosen(*m_group);
    for (const QString& choice : choices) {
        auto* button = new QPushButton(choice);
        button->setObjectName(QStringLiteral("segment"));
        button->setCheckable(true);
        button->setToolTip(tipOf(name, choice));
        // The chosen one is bold: none moves or is cut when it is chosen.
        QFont bold = theme().captionFont();
        bold.setWeight(QFont::DemiBold);
        button->setMinimumWidth(QFontMetrics(bold).horizontalAdvance(choice) + kAround);
        m_group->addButton(button, static_cast<int>(m_group->buttons().size()));
        row->addWidget(button);
    }
    m_group->button(0)->setChecked(true);
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on)
            emit chosen(id);
    });
}

int Segments::current() const
{
    return m_group->checkedId();
}

void Segments::setCurrent(int choice)
{
    m_group->button(choice)->setChecked(true);
}

void Segments::setAvailable(int choice, bool available, const QString& tip)
{
    QAbstractButton* button = m_group->button(choice);
    button->setEnabled(available);
    button->setToolTip(
        tip.isEmpty() ? tipOf(accessibleName(), m_group->button(choice)->text()) : tip);
    if (!available && button->isChecked())
        setCurrent(0);
}

QWidget* Segments::button(int choice) const
{
    return m_group->button(choice);
}

} // namespace stageloom
