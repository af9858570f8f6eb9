// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/what_if_panel.h"

#include "ui/theme/theme.h"
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace stageloom {

namespace {

constexpr int kSoon = 250; // ms after the last edit
constexpr int kRow = 26; // px

} // namespace

WhatIfPanel::WhatIfPanel(Workspace& workspace, QWidget* parent)
    : Panel(tr("What if"), parent)
    , m_workspace(workspace)
    , m_job(this)
    , m_table(new QTableView)
    , m_text(makeLabel(QString(), "caption"))
    , m_do(new QPushButton)
{
    setCaption(tr("each row is planned anew"));
    m_table->setModel(&m_model);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRow);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setMinimumSectionSize(40);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(WhatIfModel::What, QHeaderView::Stretch);
    m_table->setAccessibleName(tr("What if"));
    m_table->setToolTip(
        tr("What a plan would be on a changed machine; a row is dashed in the picture"));
    m_text->setWordWrap(true);
    body()->addWidget(m_table, 1);
    body()->addWidget(m_text);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_do);
    body()->addLayout(buttons);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoon);
    connect(&m_soon, &QTimer::timeout, this, &WhatIfPanel::plan);
    connect(&workspace.predictor, &Predictor::predicted, this, &WhatIfPanel::ask);
    connect(&workspace.topology, &TopologyState::changed, this, &WhatIfPanel::ask);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &WhatIfPanel::showChosen);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &WhatIfPanel::showChosen);
    connect(m_do, &QPushButton::clicked, this, &WhatIfPanel::doIt);
    showChosen();
}

void WhatIfPanel::showEvent(QShowEvent* event)
{
    Panel::showEvent(event);
    if (m_stale)
        ask();
}

void WhatIfPanel::hideEvent(QHideEvent* event)
{
    Panel::hideEvent(event);
    if (m_job.running()) {
        m_job.drop();
        m_stale = true;
    }
}

void WhatIfPanel::ask()
{
    m_stale = true;
    if (isVisible())
        m_soon.start();
}

void WhatIfPanel::plan()
{
    const auto& machine = m_workspace.topology.topology();
    const auto prediction = m_workspace.predictor.prediction();
    if (!machine || machine->devices.empty() || !m_workspace.document.isOpen() || !prediction) {
        m_job.drop();
        m_model.setRows({});
        m_text->setText(tr("Open a plan that can be predicted: its model is planned here."));
        return;
    }
    m_stale = false;
    const Plan& plan = m_workspace.document.plan();
    std::vector<WhatIfRow> rows = whatIfRows(*machine, plan, prediction->model);
    m_model.setRows(rows);
    m_text->setText(tr("Planning…"));
    m_job.start([rows, plan, prediction] { return planRows(rows, plan, prediction->model); },
        [this](std::vector<WhatIfRow> planned) { m_model.setRows(std::move(planned)); });
}

void WhatIfPanel::showChosen()
{
    const QModelIndex now = m_table->currentIndex();
    const WhatIfRow* row = m_model.rowAt(now);
    const bool chosen = row != nullptr && row->change != WhatIfRow::Change::None;
    m_do->setEnabled(chosen);
    if (chosen) {
        const QString words = row->words.mid(2);
        m_do->setText(row->change == WhatIfRow::Change::Add ? tr("Add %1").arg(words)
                                                            : tr("Unplug %1").arg(words));
        m_do->setToolTip(tr("Changes the machine shown; Undo brings it back"));
    } else {
        m_do->setText(tr("Unplug"));
        m_do->setToolTip(tr("Choose a row first"));
    }
    if (m_model.rowCount() > 0 && !m_job.running())
        m_text->setText(row != nullptr ? m_model.sentence(now)
                                       : tr("Choose a row: its part is dashed in the picture."));
    emit concerned(
        chosen && row->change != WhatIfRow::Change::Add ? row->devices : std::vector<int> {},
        chosen && row->change == WhatIfRow::Change::Link);
}

void WhatIfPanel::doIt()
{
    const WhatIfRow* row = m_model.rowAt(m_table->currentIndex());
    if (row == nullptr)
        return;
    TopologyState& state = m_workspace.topology;
    const std::vector<int> devices = row->devices;
    const WhatIfRow::Change change = row->change;
    if (change == WhatIfRow::Change::Link)
        return state.unplug(devices.front(), devices.back());
    if (change == WhatIfRow::Change::Add)
        return state.addLike(devices.front());
    QUndoStack& undo = state.isPlans() ? m_workspace.document.undoStack() : state.undoStack();
    const bool several = devices.size() > 1;
    if (several) // one step back for all of them
        undo.beginMacro(m_do->text());
    for (auto last = devices.rbegin(); last != devices.rend(); ++last)
        state.remove(*last);
    if (several)
        undo.endMacro();
}

} // namespace stageloom
