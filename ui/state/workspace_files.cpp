// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of dropped and named files.
#include "ui/state/workspace.h"

#include "ui/state/recent_files.h"
#include <QFileInfo>
#include <set>

namespace stageloom {

namespace {

constexpr int kMostAtOnce = 16; // files of one drop

} // namespace

void Workspace::openFiles(const QStringList& paths)
{
    if (paths.isEmpty())
        return;
    const QStringList some = paths.mid(0, kMostAtOnce);
    m_opening.start(
        [some](QPromise<std::vector<OpenedFile>>& promise) {
            std::vector<OpenedFile> files;
            for (const QString& path : some)
                if (!promise.isCanceled())
                    files.push_back(readAnyFile(path));
            return files;
        },
        [this, left = paths.size() - some.size()](std::vector<OpenedFile> files) {
            if (left > 0)
                files.push_back({ QString(),
                    tr("%n more file(s) were left alone; open them in a second step.", nullptr,
                        static_cast<int>(left)),
                    {} });
            take(std::move(files));
        });
}

void Workspace::take(std::vector<OpenedFile> files)
{
    QStringList problems;
    std::set<std::size_t> kinds; // by index of the variant: one of each is shown
    const OpenedFile* plan = nullptr;
    for (const OpenedFile& file : files) {
        if (!file.problem.isEmpty()) {
            problems << file.problem;
            continue;
        }
        if (!kinds.insert(file.content.index()).second) {
            problems << tr("%1 was not opened: one plan, one model and one machine are shown at a "
                           "time; open it alone.")
                            .arg(QFileInfo(file.path).fileName());
            continue;
        }
        if (std::holds_alternative<Plan>(file.content))
            plan = &file;
        else if (const auto* read = std::get_if<Model>(&file.content))
            model.show(*read, file.path);
        else if (const auto* machine = std::get_if<Topology>(&file.content))
            topology.show(*machine);
        if (!std::holds_alternative<Plan>(file.content)) // a plan may yet be refused
            recent::remember(file.path);
    }
    for (const OpenedFile& file : files)
        if (const auto* times = std::get_if<Profile>(&file.content))
            takeProfile(file, *times, problems);
    // The plan's page is shown where there is a plan, else the last kind's in the window's order.
    if (plan != nullptr)
        takePlan(*plan, std::get<Plan>(plan->content));
    else if (kinds.contains(3))
        emit topologyAsked();
    else if (!kinds.empty())
        emit modelAsked();
    if (!problems.isEmpty())
        emit failed(problems.join(u'\n'));
}

void Workspace::takePlan(const OpenedFile& file, const Plan& plan)
{
    if (!search.isReplaceable())
        return;
    document.openRead(file.path, plan);
    recent::remember(document.file());
    emit planOpened();
}

void Workspace::takeProfile(const OpenedFile& file, const Profile& profile, QStringList& problems)
{
    const auto& shown = model.model();
    const std::size_t layers = shown ? shown->layers.size() : 0;
    if (profile.layers.size() == layers) {
        useProfile(profile);
        return;
    }
    problems << (shown
            ? tr("%1 has times of %2 layers and %3 has %4; open the model that was measured first.")
                  .arg(QFileInfo(file.path).fileName())
                  .arg(profile.layers.size())
                  .arg(QString::fromStdString(shown->name))
                  .arg(layers)
            : tr("%1 holds layer times; open the model that was measured first.")
                  .arg(QFileInfo(file.path).fileName()));
}

} // namespace stageloom
