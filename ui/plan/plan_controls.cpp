// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_controls.h"

#include "core/schedule/registry.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/panel.h"
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

namespace stageloom {

namespace {

// What a hand may choose; a plan's file may say more, and the field shows it then.
constexpr int kMostSamples = 4096, kMostMicrobatches = 65536;

// Another limit lays the page out anew: not in each frame of a drag.
void raiseTo(QSpinBox& box, int most)
{
    if (box.maximum() != most)
        box.setMaximum(most);
}

} // namespace

PlanControls::PlanControls(QWidget* parent)
    : QWidget(parent)
    , m_schedule(new QComboBox)
    , m_size(new NumberBox(1, kMostSamples, 1))
    , m_count(new NumberBox(1, kMostMicrobatches, 1))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    for (const ScheduleInfo& info : scheduleInfos()) {
        if (!info.available())
            continue;
        m_schedule->addItem(QString::fromStdString(info.title), QString::fromStdString(info.name));
        m_schedule->setItemData(
            m_schedule->count() - 1, QString::fromStdString(info.summary), Qt::ToolTipRole);
    }
    m_schedule->setToolTip(tr("In which order the stages work"));
    m_size->setToolTip(tr("Samples in a microbatch"));
    for (QSpinBox* box : { m_size, m_count })
        box->setKeyboardTracking(false); // an edit when the number is whole
    m_count->setToolTip(tr("Microbatches in a batch"));
    const std::pair<QString, QWidget*> fields[] = { { tr("Schedule"), m_schedule },
        { tr("Microbatches"), m_count }, { tr("of size"), m_size } };
    for (const auto& [name, field] : fields) {
        auto* label = makeLabel(name, "caption");
        label->setBuddy(field);
        field->setAccessibleName(name);
        layout->addWidget(label);
        layout->addWidget(field);
    }
    connect(m_schedule, &QComboBox::activated, this,
        [this] { emit scheduleChosen(m_schedule->currentData().toString()); });
    connect(m_size, &QSpinBox::valueChanged, this, &PlanControls::microbatchSizeChosen);
    connect(m_count, &QSpinBox::valueChanged, this, &PlanControls::microbatchesChosen);
}

void PlanControls::show(const Plan& plan)
{
    const QSignalBlocker a(m_schedule), b(m_size), c(m_count);
    m_schedule->setCurrentIndex(m_schedule->findData(QString::fromStdString(plan.schedule)));
    raiseTo(*m_size, std::max(kMostSamples, static_cast<int>(plan.microbatchSize)));
    raiseTo(*m_count, std::max(kMostMicrobatches, static_cast<int>(plan.microbatches)));
    m_size->setValue(plan.microbatchSize);
    m_count->setValue(plan.microbatches);
}

void PlanControls::focusFor(const QString& key)
{
    const std::pair<QLatin1String, QWidget*> fields[] = { { QLatin1String("schedule"), m_schedule },
        { QLatin1String("microbatch_size"), m_size }, { QLatin1String("microbatches"), m_count } };
    for (const auto& [name, field] : fields)
        if (key == name)
            field->setFocus(Qt::OtherFocusReason);
}

} // namespace stageloom
