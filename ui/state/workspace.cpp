// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/workspace.h"

#include <QFileInfo>
#include <QSettings>

namespace stageloom {

namespace {

constexpr auto kRecentKey = "recentFiles";
constexpr int kRecentCount = 10;
constexpr std::int64_t kSampleBatch = 64; // samples; edited on the Plan page afterwards

} // namespace

Workspace::Workspace(const std::filesystem::path& store, QObject* parent)
    : QObject(parent)
    , runs(store)
{
    connect(&document, &PlanDocument::planChanged, this, [this] {
        predictor.request(document.plan());
        if (!document.isDirty())
            savedPredictor.request(document.savedPlan());
    });
    connect(&predictor, &Predictor::predicted, this, [this] {
        if (!predictor.prediction() || !predictor.error().isEmpty())
            return;
        const QString source = QString::fromStdString(document.plan().modelSource);
        if (model.source() != source || !model.model())
            model.show(predictor.prediction()->model, source);
    });
    connect(&document, &PlanDocument::planChanged, this,
        [this] { topology.show(document.plan().topology); });
    connect(&planner, &PlannerState::answered, this, [this] {
        if (!std::exchange(m_adoptFirstAnswer, false) || planner.answer().plans.empty())
            return;
        document.adopt(planner.answer().plans.front().plan);
        emit planOpened();
    });
    connect(&planner, &PlannerState::failed, this, [this] { m_adoptFirstAnswer = false; });
    connect(&planner, &PlannerState::failed, this, &Workspace::failed);
    connect(&model, &ModelState::failed, this, &Workspace::failed);
    connect(&topology, &TopologyState::failed, this, &Workspace::failed);
}

void Workspace::openFile(const QString& path)
{
    const QFileInfo info(path);
    if (!info.exists()) {
        emit failed(tr("%1 does not exist; check the spelling.").arg(path));
    } else if (info.isDir() || info.fileName() == QStringLiteral("config.json")
        || info.fileName().endsWith(QStringLiteral(".config.json"))) {
        model.open(info.absoluteFilePath());
        emit modelAsked();
    } else if (info.fileName().endsWith(QStringLiteral(".plan.json"))) {
        if (const Status opened = document.open(path); !opened) {
            emit failed(QString::fromStdString(opened.error().message));
            return;
        }
        rememberFile(document.file());
        emit planOpened();
    } else if (info.suffix() == QStringLiteral("json") || info.suffix() == QStringLiteral("txt")
        || info.suffix() == QStringLiteral("xml")) {
        topology.open(info.absoluteFilePath());
        emit topologyAsked();
    } else {
        emit failed(tr("%1 is nothing Stageloom reads; drop a plan (*.plan.json), a model "
                       "(config.json or its folder) or a machine (topology JSON).")
                        .arg(info.fileName()));
    }
}

void Workspace::openSample()
{
    m_adoptFirstAnswer = true;
    planner.requestByName(
        QStringLiteral("preset:gpt2"), QStringLiteral("rtx4090:4"), kSampleBatch, 1024);
}

void Workspace::planFor(
    const Model& shown, const QString& source, const std::optional<Topology>& machine)
{
    if (!machine) {
        emit failed(tr("No machine is chosen: open one on the Topology page first."));
        return;
    }
    PlannerRequest request;
    request.modelSource = source.toStdString();
    request.model = shown;
    request.topology = *machine;
    request.batchSize = kSampleBatch;
    m_adoptFirstAnswer = true;
    planner.request(std::move(request));
}

QStringList Workspace::recentFiles()
{
    return QSettings().value(QLatin1String(kRecentKey)).toStringList();
}

void Workspace::rememberFile(const QString& path)
{
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    QSettings().setValue(QLatin1String(kRecentKey), files.mid(0, kRecentCount));
}

} // namespace stageloom
