// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/model_state.h"

#include <QDir>
#include <QFileInfo>

namespace stageloom {

namespace {

constexpr auto kPresetPrefix = "preset:";

std::string keyOf(const Json& config, std::int64_t seq, Dtype dtype)
{
    return fmt::format("{} {} {}", jsonLine(config), seq, toString(dtype));
}

} // namespace

ModelState::ModelState(QObject* parent)
    : QObject(parent)
    , m_job(this)
{
    m_job.runningChanged = [this] { emit busyChanged(); };
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
    m_profile.reset();
    emit changed();
    emit profileChanged();
}

void ModelState::followPlan(const Plan& plan, const Model& model)
{
    std::string key = keyOf(plan.modelConfig, plan.seq, plan.dtype);
    if (key != m_planKey || !m_model) {
        m_planKey = std::move(key);
        show(model, QString::fromStdString(plan.modelSource));
    }
    if (!isModelOf(plan) || (!plan.profile && !m_profileOfPlan))
        return;
    setProfile(plan.profile);
    m_profileOfPlan = m_profile.has_value();
}

void ModelState::setOptions(std::int64_t seq, Dtype dtype)
{
    if (!m_model || (seq == m_model->seq && dtype == m_model->dtype))
        return;
    const auto work = [config = m_model->config, name = m_model->name, seq, dtype] {
        Result<Model> model = modelFromConfig(config, name, { seq, dtype });
        if (model)
            model->name = name;
        return model;
    };
    m_job.start(work, [this](Result<Model> model) {
        if (model) {
            show(*model, QString(m_source));
            return;
        }
        emit failed(QString::fromStdString(model.error().message));
        emit changed(); // choosers go back to what is shown
    });
}

void ModelState::setProfile(std::optional<Profile> profile)
{
    if (profile && (!m_model || profile->layers.size() != m_model->layers.size()))
        profile.reset();
    m_profileOfPlan = false;
    if (!profile && !m_profile)
        return;
    m_profile = std::move(profile);
    emit profileChanged();
}

QString ModelState::name() const
{
    if (!m_model)
        return {};
    QString name = QString::fromStdString(m_model->name);
    if (name.startsWith(QLatin1String(kPresetPrefix)))
        name.remove(0, static_cast<int>(qstrlen(kPresetPrefix)));
    if (name.endsWith(QStringLiteral("config.json"))) {
        const QFileInfo info(name);
        return info.fileName() == QStringLiteral("config.json") ? info.dir().dirName()
                                                                : info.fileName();
    }
    return name;
}

bool ModelState::isModelOf(const Plan& plan) const
{
    return m_model && m_model->seq == plan.seq && m_model->dtype == plan.dtype
        && m_model->config == plan.modelConfig;
}

} // namespace stageloom
