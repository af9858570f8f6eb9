// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fact_rows.h"

#include "ui/widgets/panel.h"
#include <QGridLayout>
#include <QLabel>

namespace stageloom {

FactRows::FactRows(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnStretch(1, 1);
}

void FactRows::setFacts(const QList<std::pair<QString, QString>>& facts)
{
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int row = 0;
    for (const auto& [name, value] : facts) {
        m_grid->addWidget(makeLabel(name, "caption"), row, 0, Qt::AlignTop);
        auto* label = makeLabel(value, "value");
        label->setAlignment(Qt::AlignTrailing | Qt::AlignTop);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_grid->addWidget(label, row++, 1);
    }
}

} // namespace stageloom
