// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/model_state.h"

namespace stageloom {

ModelState::ModelState(QObject* parent)
    : QObject(parent)
    , m_job(this)
{
}

void ModelState::open(const QString& source)
{
    m_job.start([path = source.toStdString()] { return readModel(path, {}); },
        [this, source](Result<Model> model) {
            if (model)
                show(*model, source);
            else
                emit failed(QString::fromStdString(model.error().message));
        });
}

void ModelState::show(const Model& model, const QString& source)
{
    m_job.drop();
    m_model = model;
    m_source = source;
    emit changed();
}

} // namespace stageloom
