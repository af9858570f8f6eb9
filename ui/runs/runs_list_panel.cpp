// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_list_panel.h"

#include "ui/runs/runs_table.h"
#include "ui/widgets/remember.h"
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace stageloom {

RunsListPanel::RunsListPanel(RunsModel& model, QWidget* parent)
    : Panel(tr("All runs"), parent)
    , m_model(model)
    , m_table(new RunsTable(model))
    , m_filter(new QLineEdit)
    , m_grouping(new QComboBox)
    , m_columns(new QPushButton(tr("Columns") + QStringLiteral("   ")))
    , m_brush(new QPushButton)
{
    m_brush->setToolTip(tr("Show all runs again: drops the brushes of the parallel coordinates"));
    m_brush->hide();
    m_filter->setPlaceholderText(tr("Filter: words, state:finished, tag:…, loss<3"));
    m_filter->setToolTip(tr("<p>Keeps the runs that have every part.</p>"
                            "<table><tr><td>gpt2 long&nbsp;&nbsp;</td><td>words anywhere</td></tr>"
                            "<tr><td>schedule:2bw&nbsp;&nbsp;</td><td>in one field: name, state, "
                            "schedule, model, tag, notes, started</td></tr>"
                            "<tr><td>loss&lt;3&nbsp;&nbsp;</td><td>a number: loss, validation, "
                            "rate, steps, duration, bubble, memory, stages, microbatches, batch, "
                            "lr, run</td></tr>"
                            "<tr><td>-state:failed&nbsp;&nbsp;</td><td>the opposite</td></tr>"
                            "</table>"));
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMinimumWidth(250);
    m_filter->setMaximumWidth(380);
    m_filter->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_grouping->addItems(
        { tr("No groups"), tr("By model"), tr("By schedule"), tr("By state"), tr("By first tag") });
    m_grouping->setToolTip(tr("Put the runs in sections that close"));
    m_grouping->setAccessibleName(tr("Groups"));
    auto* menu = new QMenu(m_columns);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        m_table->fillColumnsMenu(*menu);
    });
    m_columns->setMenu(menu);
    m_columns->setToolTip(tr("Choose the columns; drag their titles to move them"));
    for (QWidget* control :
        std::initializer_list<QWidget*> { m_brush, m_filter, m_grouping, m_columns })
        addControl(control);
    body()->addWidget(m_table, 1);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_table->commitOpenEditor();
        m_model.setFilter(text);
        showCaption();
        emit shownChanged();
    });
    connect(m_grouping, &QComboBox::currentIndexChanged, this, [this](int grouping) {
        m_table->commitOpenEditor();
        m_model.setGrouping(static_cast<RunGrouping>(grouping));
    });
    remember(*m_grouping, QStringLiteral("runs/grouping"));
    connect(m_brush, &QPushButton::clicked, this, &RunsListPanel::brushDropAsked);
    connect(m_table, &RunsTable::chosenChanged, this, &RunsListPanel::showCaption);
    connect(&model, &RunsModel::baselineChanged, this, &RunsListPanel::showCaption);
}

void RunsListPanel::showRuns(const RunEntries& entries)
{
    m_table->showRuns(entries);
    showCaption();
}

void RunsListPanel::setOnly(std::optional<std::unordered_set<std::int64_t>> ids)
{
    m_table->commitOpenEditor();
    m_model.setOnly(std::move(ids));
    m_brush->setVisible(m_model.arrangement().only.has_value());
    m_brush->setText(tr("%n brushed ×", nullptr, m_model.shownRuns()));
    showCaption();
}

void RunsListPanel::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void RunsListPanel::showCaption()
{
    const int all = static_cast<int>(m_model.entries()->size()), shown = m_model.shownRuns();
    const auto chosen = static_cast<int>(m_table->chosen().size());
    QString caption = shown == all ? QString() : tr("%1 of %2").arg(shown).arg(all);
    if (shown == 0 && all > 0)
        caption = tr("no run matches: shorten the filter or drop the brush");
    else if (chosen > 0)
        caption += (caption.isEmpty() ? QString() : QStringLiteral(" · "))
            + tr("%n ticked for the curves", nullptr, chosen);
    if (const RunId base = m_model.baseline(); base.valid())
        caption += (caption.isEmpty() ? QString() : QStringLiteral(" · "))
            + tr("differences against run %1, the pinned baseline").arg(base.value);
    setCaption(caption);
}

} // namespace stageloom
