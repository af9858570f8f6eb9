// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_actions.h"

#include "ui/plots/plot_sheet.h"
#include "ui/theme/text.h"
#include "ui/widgets/ask_for_file.h"
#include "ui/widgets/work_line.h"
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

namespace stageloom {

RunsActions::RunsActions(RunsState& runs, RunComparison& comparison, RunBaseline& baseline,
    PlotSheet& plots, QWidget& page)
    : QObject(&page)
    , m_runs(runs)
    , m_comparison(comparison)
    , m_baseline(baseline)
    , m_plots(plots)
    , m_page(page)
    , m_progress(new WorkLine(tr("Stop; what is done so far stays")))
    , m_delete(new QPushButton(&page))
    , m_export(new QPushButton(&page))
    , m_again(new QPushButton(&page))
{
    m_again->setObjectName(QStringLiteral("primary"));
    m_export->setToolTip(tr("Write the chosen runs to a file"));
    auto* menu = new QMenu(m_export);
    fillExportMenu(*menu);
    m_export->setMenu(menu);
    for (QPushButton* button : { m_delete, m_export, m_again })
        button->hide(); // until the header shows them
    connect(m_delete, &QPushButton::clicked, this, &RunsActions::askDelete);
    connect(m_again, &QPushButton::clicked, this, &RunsActions::runAgain);
    connect(&comparison, &RunComparison::exported, this, [this](const QString& file) {
        m_file.clear();
        showProgress();
        emit done(tr("%1 is written.").arg(file));
    });
    connect(&comparison, &RunComparison::exportStopped, this, [this] { m_file.clear(); });
    connect(&comparison, &RunComparison::failed, this, [this] { m_file.clear(); });
    m_look.setInterval(100);
    connect(&m_look, &QTimer::timeout, this, &RunsActions::showProgress);
    connect(m_progress, &WorkLine::stopAsked, this, &RunsActions::stop);
    update();
}

QList<QWidget*> RunsActions::buttons() const
{
    return { m_delete, m_export, m_again };
}

void RunsActions::setChosen(const std::vector<RunId>& ids, RunId current)
{
    m_chosen = ids;
    m_current = current;
    update();
}

std::vector<RunId> RunsActions::running() const
{
    std::vector<RunId> ids;
    for (const RunId id : m_chosen)
        if (const RunEntry* entry = m_runs.entry(id);
            entry && entry->row.state == RunState::Running)
            ids.push_back(id);
    return ids;
}

void RunsActions::update()
{
    const auto chosen = static_cast<int>(m_chosen.size());
    const bool allRun = m_chosen.empty() || running().size() == m_chosen.size();
    const auto named = [&](const QString& one, const QString& many) {
        return chosen == 1 ? one.arg(m_chosen.front().value) : many.arg(chosen);
    };
    m_delete->setText(named(tr("Delete run %1…"), tr("Delete %1 runs…")));
    m_delete->setEnabled(!allRun);
    m_delete->setToolTip(m_chosen.empty() ? tr("Tick runs in the table first")
            : allRun ? tr("A run that goes on is not deleted: stop it on the Train page first")
                     : tr("Delete the ticked runs with all they kept"));
    m_export->setText(named(tr("Export run %1"), tr("Export %1 runs")) + QStringLiteral("   "));
    m_export->setEnabled(chosen > 0);
    m_again->setText(m_current.valid() ? tr("Run %1 again").arg(m_current.value) : tr("Run again"));
    m_again->setEnabled(m_current.valid());
    m_again->setToolTip(tr("Open the Train page with this run's plan, data, seed and steps"));
}

void RunsActions::showProgress()
{
    const auto [done, all] = m_runs.removing();
    if (!m_file.isEmpty())
        m_progress->showProgress(
            tr("Writing %1: %2 so far")
                .arg(m_file, bytesText(static_cast<double>(m_comparison.exportedBytes()))));
    else if (all > 0)
        m_progress->showProgress(
            tr("Deleting runs: %1 of %2").arg(done).arg(all), static_cast<double>(done) / all);
    else {
        m_progress->end();
        m_look.stop();
    }
}

void RunsActions::stop()
{
    m_comparison.stopExport();
    m_runs.stopRemoving();
}

void RunsActions::fillExportMenu(QMenu& menu)
{
    const auto add
        = [&](const QString& word, const QString& ending, std::optional<ExportForm> form) {
              menu.addAction(word, this, [=, this] { exportTo(word, ending, form); });
          };
    add(tr("Numbers (CSV)…"), QStringLiteral("csv"), ExportForm::Numbers);
    add(tr("Everything (JSON)…"), QStringLiteral("json"), ExportForm::Record);
    add(tr("Timeline (Chrome trace)…"), QStringLiteral("trace.json"), ExportForm::ChromeTrace);
    menu.addSeparator();
    add(tr("Curves (PNG)…"), QStringLiteral("png"), std::nullopt);
    add(tr("Curves (SVG)…"), QStringLiteral("svg"), std::nullopt);
}

void RunsActions::fillBaselineEntry(QMenu& menu)
{
    const bool pinned = m_current.valid() && m_current == m_baseline.pinned();
    QAction* entry
        = menu.addAction(pinned ? tr("Unpin run %1, the baseline\tB").arg(m_current.value)
                                : tr("Pin run %1 as baseline\tB").arg(m_current.value),
            this, [this, id = m_current] { m_baseline.toggle(id); });
    entry->setEnabled(m_current.valid());
    if (const RunId other = m_baseline.pinned(); other.valid() && !pinned)
        menu.addAction(tr("Unpin run %1, the baseline").arg(other.value), this,
            [this, other] { m_baseline.toggle(other); });
}

void RunsActions::fillMenu(QMenu& menu)
{
    fillBaselineEntry(menu);
    menu.addAction(tr("Copy the rows\tCtrl+C"), this, &RunsActions::copyAsked)
        ->setEnabled(!m_chosen.empty());
    menu.addSeparator();
    menu.addAction(m_again->text(), this, &RunsActions::runAgain)->setEnabled(m_again->isEnabled());
    QMenu* exports = menu.addMenu(tr("Export"));
    fillExportMenu(*exports);
    exports->setEnabled(m_export->isEnabled());
    menu.addSeparator();
    menu.addAction(m_delete->text(), this, &RunsActions::askDelete)
        ->setEnabled(m_delete->isEnabled());
}

void RunsActions::exportTo(
    const QString& title, const QString& ending, std::optional<ExportForm> form)
{
    const QString name = m_chosen.size() == 1
        ? QStringLiteral("run-%1.%2").arg(m_chosen.front().value).arg(ending)
        : QStringLiteral("runs.%1").arg(ending);
    const QString path
        = askForFile(&m_page, title, name, ending.toUpper(), QLatin1Char('.') + ending);
    if (path.isEmpty())
        return;
    if (form) {
        m_file = QFileInfo(path).fileName();
        m_comparison.exportRuns(m_chosen, *form, path);
        m_look.start();
        return;
    }
    const bool png = ending == QStringLiteral("png");
    if (png ? m_plots.savePng(path) : m_plots.saveSvg(path))
        emit done(tr("%1 is written.").arg(path));
    else
        emit failed(tr("%1 could not be written; check the folder.").arg(path));
}

void RunsActions::askDelete()
{
    if (!m_delete->isEnabled())
        return;
    const std::vector<RunId> keep = running();
    std::vector<RunId> gone;
    for (const RunId id : m_chosen)
        if (std::find(keep.begin(), keep.end(), id) == keep.end())
            gone.push_back(id);
    QString question = gone.size() == 1
        ? tr("Delete run %1 with its curves, timeline and log?").arg(gone.front().value)
        : tr("Delete %n runs with their curves, timelines and logs?", nullptr,
            static_cast<int>(gone.size()));
    if (!keep.empty())
        question
            += QLatin1Char(' ') + tr("%n that go on stay.", nullptr, static_cast<int>(keep.size()));
    QMessageBox box(
        QMessageBox::Question, tr("Delete runs"), question, QMessageBox::Cancel, &m_page);
    box.setInformativeText(tr("This cannot be undone."));
    QPushButton* agree = box.addButton(tr("Delete"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() != agree)
        return;
    m_runs.remove(gone);
    m_look.start();
}

void RunsActions::runAgain()
{
    if (m_current.valid())
        m_comparison.loadRequest(m_current);
}

} // namespace stageloom
