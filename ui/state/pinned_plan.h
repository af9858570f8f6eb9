// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "ui/state/predictor.h"

namespace stageloom {

// A plan kept aside to compare the edited one with: "A", beside "B". It is a value of its own, so
// that it stays what it was while the document changes, or another one is opened.
class PinnedPlan : public QObject {
    Q_OBJECT
public:
    explicit PinnedPlan(QObject* parent = nullptr);

    [[nodiscard]] bool isPinned() const { return m_plan.has_value(); }
    [[nodiscard]] const QString& name() const { return m_name; }
    [[nodiscard]] const Plan& plan() const { return *m_plan; } // only where one is pinned
    // Null: none is pinned, it is not predicted yet, or it cannot be.
    [[nodiscard]] Predictor::Shared shared() const { return m_predictor.prediction(); }
    [[nodiscard]] const Prediction* prediction() const { return shared().get(); }
    void pin(const Plan& plan, const QString& name);
    void unpin();

signals:
    void changed(); // the plan, or its prediction

private:
    std::optional<Plan> m_plan;
    QString m_name;
    Predictor m_predictor;
};

} // namespace stageloom
