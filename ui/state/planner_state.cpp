// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/planner_state.h"

namespace stageloom {

PlannerState::PlannerState(QObject* parent)
    : QObject(parent)
    , m_job(this)
{
    m_job.runningChanged = [this] { emit busyChanged(); };
}

void PlannerState::search(std::function<Result<PlannerRequest>()> make)
{
    const auto work = [make = std::move(make)](
                          QPromise<Result<PlannerAnswer>>& promise) -> Result<PlannerAnswer> {
        Result<PlannerRequest> request = make();
        if (!request)
            return failure(request);
        request->cancelled = [&promise] { return promise.isCanceled(); };
        return makePlans(*request);
    };
    m_job.start(work, [this](Result<PlannerAnswer> answer) {
        if (!answer) {
            emit failed(QString::fromStdString(answer.error().message));
            return;
        }
        m_answer = std::make_shared<const PlannerAnswer>(std::move(*answer));
        emit answered();
    });
    emit started();
}

void PlannerState::request(PlannerRequest request)
{
    search([request = std::move(request)] { return Result<PlannerRequest>(request); });
}

void PlannerState::request(const PlannerWish& wish)
{
    search([wish] { return plannerRequestFor(wish); });
}

void PlannerState::requestByName(const QString& model, const QString& topology,
    std::int64_t batchSize, std::int64_t seq, int width)
{
    search([model = model.toStdString(), topology = topology.toStdString(), batchSize, seq,
               width]() -> Result<PlannerRequest> {
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
        return request;
    });
}

void PlannerState::cancel()
{
    m_job.drop();
    emit cancelled();
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
