// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/engine_capabilities.h"
#include "ui/state/latest_job.h"
#include <QObject>

namespace stageloom {

// What the engine beside the window trains. It is asked once, in the thread pool.
class EngineState : public QObject {
    Q_OBJECT
public:
    explicit EngineState(QObject* parent = nullptr);
    void ask(); // where it is neither known nor being asked

    // What keeps the engine from training a plan, as notes: planning it is no mistake. Nothing as
    // long as the engine has not answered.
    [[nodiscard]] std::vector<PlanFinding> notes(const Plan& plan, const Model& model) const;

    // The first of them that is about the plan; empty: it trains, or nothing is known of the
    // engine.
    [[nodiscard]] static QString refusalOf(const std::vector<PlanFinding>& notes);

signals:
    void answered();

private:
    std::optional<Result<EngineCapabilities>> m_answer;
    LatestJob<Result<EngineCapabilities>> m_job;
};

} // namespace stageloom
