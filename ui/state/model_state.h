// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "ui/state/latest_job.h"
#include <QObject>
#include <optional>

namespace stageloom {

// The model on the Model page: the plan's, or one opened to look at.
class ModelState : public QObject {
    Q_OBJECT
public:
    explicit ModelState(QObject* parent = nullptr);
    void open(const QString& source); // a path or "preset:NAME"
    void show(const Model& model, const QString& source);
    [[nodiscard]] const std::optional<Model>& model() const { return m_model; }
    [[nodiscard]] QString source() const { return m_source; }

signals:
    void changed();
    void failed(const QString& sentence);

private:
    LatestJob<Result<Model>> m_job;
    std::optional<Model> m_model;
    QString m_source;
};

} // namespace stageloom
