// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/pinned_plan.h"

namespace stageloom {

PinnedPlan::PinnedPlan(QObject* parent)
    : QObject(parent)
{
    connect(&m_predictor, &Predictor::predicted, this, &PinnedPlan::changed);
}

void PinnedPlan::pin(const Plan& plan, const QString& name)
{
    m_plan = plan;
    m_name = name;
    m_predictor.forget(); // the plan's that was pinned before
    m_predictor.request(plan);
    emit changed();
}

void PinnedPlan::unpin()
{
    m_plan.reset();
    m_name.clear();
    m_predictor.forget();
    emit changed();
}

} // namespace stageloom
