// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/planner_state.h"

namespace stageloom {

PlannerState::PlannerState(QObject* parent)
    : QObject(parent)
    , m_job(this)
{
}

void PlannerState::request(PlannerRequest request)
{
    m_job.start([request = std::move(request)] { return makePlans(request); },
        [this](Result<PlannerAnswer> answer) { take(std::move(answer)); });
    emit started();
}

void PlannerState::requestByName(
    const QString& model, const QString& topology, std::int64_t batchSize, std::int64_t seq)
{
    const auto work = [model = model.toStdString(), topology = topology.toStdString(), batchSize,
                          seq]() -> Result<PlannerAnswer> {
        ModelOptions options;
        options.seq = seq;
        Result<Model> read = readModel(model, options);
        if (!read)
            return failure(read);
        Result<Topology> machine = readTopology(topology);
        if (!machine)
            return failure(machine);
        PlannerRequest request;
        request.modelSource = model;
        request.model = std::move(*read);
        request.topology = std::move(*machine);
        request.batchSize = batchSize;
        return makePlans(request);
    };
    m_job.start(work, [this](Result<PlannerAnswer> answer) { take(std::move(answer)); });
    emit started();
}

void PlannerState::take(Result<PlannerAnswer> answer)
{
    if (!answer) {
        emit failed(QString::fromStdString(answer.error().message));
        return;
    }
    m_answer = std::move(*answer);
    emit answered();
}

Result<PlannerRequest> plannerRequestFor(const Plan& plan)
{
    Result<Model> model = planModel(plan);
    if (!model)
        return failure(model);
    PlannerRequest request;
    request.modelSource = plan.modelSource;
    request.model = std::move(*model);
    request.topology = plan.topology;
    request.batchSize = plan.batchSize();
    request.schedule = plan.schedule;
    request.optimizer = plan.optimizer;
    request.profile = plan.profile;
    return request;
}

} // namespace stageloom
