// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/planner_state.h"

namespace stageloom {

PlannerState::PlannerState(QObject* parent)
    : QObject(parent)
    , m_job(this)
{
    m_job.runningChanged = [this] { emit busyChanged(); };
}

void PlannerState::request(PlannerRequest request)
{
    m_job.start([request = std::move(request)] { return makePlans(request); },
        [this](Result<PlannerAnswer> answer) { take(std::move(answer)); });
    emit started();
}

void PlannerState::request(const PlannerWish& wish)
{
    const auto work = [wish]() -> Result<PlannerAnswer> {
        Result<PlannerRequest> request = plannerRequestFor(wish);
        return request ? makePlans(*request) : failure(request);
    };
    m_job.start(work, [this](Result<PlannerAnswer> answer) { take(std::move(answer)); });
    emit started();
}

void PlannerState::cancel()
{
    m_job.drop();
    emit cancelled();
}

void PlannerState::requestByName(const QString& model, const QString& topology,
    std::int64_t batchSize, std::int64_t seq, int width)
{
    const auto work = [model = model.toStdString(), topology = topology.toStdString(), batchSize,
                          seq, width]() -> Result<PlannerAnswer> {
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
        request.width = width;
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

Result<PlannerRequest> plannerRequestFor(const PlannerWish& wish)
{
    Result<Model> model = planModel(wish.plan);
    if (!model)
        return failure(model);
    PlannerRequest request;
    request.modelSource = wish.plan.modelSource;
    request.model = std::move(*model);
    request.topology = wish.plan.topology;
    request.batchSize = wish.batchSize;
    request.schedules
        = wish.schedules.empty() ? std::vector { wish.plan.schedule } : wish.schedules;
    request.microbatchSize = wish.microbatchSize;
    request.top = wish.top;
    request.optimizer = wish.plan.optimizer;
    request.profile = wish.plan.profile;
    request.width = wish.width;
    return request;
}

} // namespace stageloom
