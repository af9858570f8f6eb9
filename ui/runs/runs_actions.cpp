// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_actions.h"

#include "ui/plots/curve_plot.h"
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

namespace stageloom {

RunsActions::RunsActions(RunsState& runs, RunComparison& comparison, RunBaseline& baseline,
    CurvePlot& plot, QWidget& page)
    : QObject(&page)
    , m_runs(runs)
    , m_comparison(comparison)
    , m_baseline(baseline)
    , m_plot(plot)
    , m_page(page)
    , m_delete(new QPushButton(tr("Delete…"), &page))
    , m_export(new QPushButton(tr("Export") + QStringLiteral("   "), &page))
    , m_again(new QPushButton(tr("Run again exactly"), &page))
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
    connect(&comparison, &RunComparison::exported, this,
        [this](const QString& file) { emit message(tr("%1 is written.").arg(file)); });
    update();
}

QList<QWidget*> RunsActions::buttons() const
{
    return { m_delete, m_export, m_again };
}

void RunsActions::setChosen(const std::vector<RunId>& ids)
{
    m_chosen = ids;
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
    const bool allRun = m_chosen.empty() || running().size() == m_chosen.size();
    m_delete->setEnabled(!allRun);
    m_delete->setToolTip(m_chosen.empty() ? tr("Choose runs in the table first")
            : allRun ? tr("A run that goes on is not deleted: stop it on the Train page first")
                     : tr("Delete the chosen runs with all they kept"));
    m_export->setEnabled(!m_chosen.empty());
    m_again->setEnabled(m_chosen.size() == 1);
    m_again->setToolTip(m_chosen.size() == 1
            ? tr("Open the Train page with this run's plan, data, seed and steps")
            : tr("Choose one run: its plan, data, seed and steps go to the Train page"));
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
    const bool one = m_chosen.size() == 1;
    const bool pinned = one && m_chosen.front() == m_baseline.pinned();
    QAction* entry = menu.addAction(pinned ? tr("Unpin the baseline\tB") : tr("Pin as baseline\tB"),
        this, [this, id = one ? m_chosen.front() : RunId {}] { m_baseline.toggle(id); });
    entry->setEnabled(one);
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
    QString path = QFileDialog::getSaveFileName(
        &m_page, title, name, QStringLiteral("*.%1 (*.%1)").arg(ending));
    if (path.isEmpty())
        return;
    if (!path.endsWith(QLatin1Char('.') + ending))
        path += QLatin1Char('.') + ending;
    if (form) {
        m_comparison.exportRuns(m_chosen, *form, path);
        return;
    }
    const bool png = ending == QStringLiteral("png");
    const bool written = png ? m_plot.savePng(path) : m_plot.saveSvg(path);
    emit message(written ? tr("%1 is written.").arg(path)
                         : tr("%1 could not be written; check the folder.").arg(path));
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
    if (box.clickedButton() == agree)
        m_runs.remove(gone);
}

void RunsActions::runAgain()
{
    if (m_chosen.size() == 1)
        m_comparison.loadRequest(m_chosen.front());
}

} // namespace stageloom
