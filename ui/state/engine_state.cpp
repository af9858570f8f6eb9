// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/engine_state.h"

namespace stageloom {

EngineState::EngineState(QObject* parent)
    : QObject(parent)
    , m_job(this)
{
}

void EngineState::ask()
{
    if (m_answer || m_job.running())
        return;
    m_job.start([] { return askEngine(); },
        [this](Result<EngineCapabilities> answer) {
            m_answer = std::move(answer);
            emit answered();
        });
}

std::vector<PlanFinding> EngineState::notes(const Plan& plan, const Model& model) const
{
    return m_answer ? trainingNotes(plan, model, *m_answer) : std::vector<PlanFinding>();
}

QString EngineState::refusalOf(const std::vector<PlanFinding>& notes)
{
    // A note without a place says that the engine could not be asked: that is no refusal.
    for (const PlanFinding& note : notes)
        if (!note.path.empty())
            return QString::fromStdString(note.message);
    return {};
}

} // namespace stageloom
