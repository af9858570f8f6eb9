// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/pinned_plan.h"

namespace stageloom {

PinnedPlan::PinnedPlan(QObject* parent)
    : QObject(parent)
{
    connect(&m_predictor, &Predictor::predicted, this, &PinnedPlan::changed);
}

Predictor::Shared PinnedPlan::shared() const
{
    // While the predictor works its answer is still the plan's that was pinned before.
    if (!m_plan || m_predictor.isBusy() || !m_predictor.error().isEmpty())
        return nullptr;
    return m_predictor.prediction();
}

void PinnedPlan::pin(const Plan& plan, const QString& name)
{
    m_plan = plan;
    m_name = name;
    m_predictor.request(plan);
    emit changed();
}

void PinnedPlan::unpin()
{
    m_plan.reset();
    m_name.clear();
    emit changed();
}

} // namespace stageloom
