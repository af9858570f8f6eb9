// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/first_steps.h"

#include "ui/theme/theme.h"
#include "ui/widgets/panel.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QToolButton>

namespace stageloom {

namespace {

constexpr auto kClosedKey = "planHintClosed";

} // namespace

bool FirstSteps::isWanted()
{
    return !QSettings().value(QLatin1String(kClosedKey)).toBool();
}

FirstSteps::FirstSteps(QWidget* parent)
    : QFrame(parent)
{
    setObjectName(QStringLiteral("first steps"));
    setAccessibleName(tr("First steps"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(Theme::kPadding, 4, 6, 4);
    layout->setSpacing(8);
    const QString steps[] = { tr("Drag a border between stages"),
        tr("Watch time and memory follow"), tr("Plan for me, then Train") };
    int number = 1;
    for (const QString& step : steps) {
        auto* mark = makeLabel(QString::number(number++), "step");
        mark->setAlignment(Qt::AlignCenter);
        mark->setFixedSize(20, 20);
        layout->addWidget(mark);
        layout->addWidget(new QLabel(step));
        layout->addSpacing(16);
    }
    layout->addStretch(1);
    auto* close = new QToolButton;
    close->setText(QStringLiteral("×"));
    close->setMinimumSize(28, 28);
    close->setToolTip(tr("Close this hint for good"));
    close->setAccessibleName(close->toolTip());
    layout->addWidget(close);
    connect(close, &QToolButton::clicked, this, &FirstSteps::finish);
}

void FirstSteps::finish()
{
    if (isHidden())
        return;
    QSettings().setValue(QLatin1String(kClosedKey), true);
    hide();
}

} // namespace stageloom
