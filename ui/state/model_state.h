// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/plan/plan.h"
#include "ui/state/latest_job.h"
#include <QObject>
#include <optional>

namespace stageloom {

// The model on the Model page: the plan's, or one opened to look at; with the layer times that were
// measured of it.
class ModelState : public QObject {
    Q_OBJECT
public:
    explicit ModelState(QObject* parent = nullptr);
    void open(const QString& source); // a path or "preset:NAME"
    void show(const Model& model, const QString& source);
    // Shows the plan's model where it is another one than last time, and always its layer times.
    void followPlan(const Plan& plan, const Model& model);
    // Costs of the same model at another length or number format; nothing where none is shown.
    void setOptions(std::int64_t seq, Dtype dtype);
    void setProfile(std::optional<Profile> profile); // dropped where it is of other layers

    [[nodiscard]] const std::optional<Model>& model() const { return m_model; }
    [[nodiscard]] const std::optional<Profile>& profile() const { return m_profile; }
    [[nodiscard]] QString source() const { return m_source; }
    [[nodiscard]] QString name() const; // for people: without "preset:"; empty: none shown
    // Whether the plan trains this model at this length and in this format.
    [[nodiscard]] bool isModelOf(const Plan& plan) const;
    [[nodiscard]] bool isBusy() const { return m_job.running(); }
    void cancel() { m_job.drop(); } // what is being read; what is shown stays

signals:
    void busyChanged();
    void changed(); // another model, or the same at other options
    void profileChanged();
    void failed(const QString& sentence);

private:
    LatestJob<Result<Model>> m_job;
    std::optional<Model> m_model;
    std::optional<Profile> m_profile;
    bool m_profileOfPlan = false; // it came with the plan, and goes with it
    QString m_source;
    std::string m_planKey; // of the plan's model when it was last shown
};

} // namespace stageloom
