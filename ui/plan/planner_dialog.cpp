// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/planner_dialog.h"

#include "core/schedule/registry.h"
#include "ui/theme/text.h"
#include "ui/widgets/panel.h"
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

namespace stageloom {

namespace {

QComboBox* choices(const std::vector<std::pair<QString, QVariant>>& items, const QVariant& now)
{
    auto* box = new QComboBox;
    for (const auto& [text, value] : items)
        box->addItem(text, value);
    box->setCurrentIndex(std::max(0, box->findData(now)));
    return box;
}

QSpinBox* number(int now, int most)
{
    auto* box = new QSpinBox;
    box->setRange(1, most);
    box->setValue(now);
    return box;
}

} // namespace

PlannerDialog::PlannerDialog(const Plan& plan, QWidget* parent)
    : QDialog(parent)
    , m_plan(plan)
    , m_batch(number(static_cast<int>(std::min<std::int64_t>(plan.batchSize(), 1 << 20)), 1 << 20))
    , m_size(number(1, 1 << 20))
    , m_seq(number(static_cast<int>(std::min<std::int64_t>(plan.seq, 1 << 20)), 1 << 20))
{
    setWindowTitle(tr("Plan for me"));
    std::vector<std::pair<QString, QVariant>> schedules { { tr("All of them, compared"),
        QString() } };
    for (const ScheduleInfo& info : scheduleInfos())
        if (info.available())
            schedules.emplace_back(
                QString::fromStdString(info.title), QString::fromStdString(info.name));
    m_schedule = choices(schedules, QString());
    m_dtype = choices({ { tr("fp32"), static_cast<int>(Dtype::Fp32) },
                          { tr("bf16"), static_cast<int>(Dtype::Bf16) },
                          { tr("fp16"), static_cast<int>(Dtype::Fp16) } },
        static_cast<int>(plan.dtype));
    const auto& devices = plan.topology.devices;
    const bool workers = !devices.empty() && devices.front().kind == DeviceKind::CpuWorker;
    m_width = choices(
        { { tr("Any number"), 0 }, { tr("One, as the engine here trains"), 1 } }, workers ? 1 : 0);
    m_size->setMinimum(0);
    m_size->setSpecialValueText(tr("Any"));
    m_size->setValue(0);
    m_optimizer
        = choices({ { optimizerName(OptimizerKind::AdamW), static_cast<int>(OptimizerKind::AdamW) },
                      { optimizerName(OptimizerKind::Adam), static_cast<int>(OptimizerKind::Adam) },
                      { optimizerName(OptimizerKind::Sgd), static_cast<int>(OptimizerKind::Sgd) } },
            static_cast<int>(plan.optimizer.kind));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(20, 20, 20, 20);
    form->setSpacing(10);
    const std::tuple<QString, QWidget*, QString> rows[] = {
        { tr("&Batch, samples"), m_batch, tr("Samples that go into one update of the weights") },
        { tr("Se&quence, tokens"), m_seq, tr("Tokens in a sample") },
        { tr("&Precision"), m_dtype, tr("Of weights and activations") },
        { tr("&Schedule"), m_schedule, tr("In which order the stages work") },
        { tr("&Replicas of a stage"), m_width, tr("Pipelines that work side by side") },
        { tr("&Microbatch, samples"), m_size,
            tr("What a stage works on at a time; any: all that divide the batch are tried") },
        { tr("&Optimizer"), m_optimizer, tr("Decides how much state a weight carries") },
    };
    for (const auto& [name, field, tip] : rows) {
        field->setToolTip(tip);
        form->addRow(name, field);
    }
    auto* hint = makeLabel(
        tr("Tries every number of stages with these, and recomputation where it helps, keeps what "
           "fits into memory and ranks it by speed. The plan stays as it is until you take one."),
        "caption");
    hint->setWordWrap(true);
    form->addRow(hint);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton* find = buttons->addButton(tr("Find plans"), QDialogButtonBox::AcceptRole);
    find->setObjectName(QStringLiteral("primary"));
    find->setDefault(true);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

PlannerWish PlannerDialog::wish() const
{
    constexpr int kTop = 40; // plans in the table
    PlannerWish wish { m_plan, m_batch->value(), m_width->currentData().toInt() };
    const QString schedule = m_schedule->currentData().toString();
    wish.schedules = schedule.isEmpty() ? scheduleNames() : std::vector { schedule.toStdString() };
    wish.microbatchSize = m_size->value();
    wish.top = kTop;
    wish.plan.seq = m_seq->value();
    wish.plan.dtype = static_cast<Dtype>(m_dtype->currentData().toInt());
    wish.plan.optimizer.kind = static_cast<OptimizerKind>(m_optimizer->currentData().toInt());
    // Times measured at another length or precision would be taken for this one's.
    if (wish.plan.seq != m_plan.seq || wish.plan.dtype != m_plan.dtype)
        wish.plan.profile.reset();
    return wish;
}

} // namespace stageloom
