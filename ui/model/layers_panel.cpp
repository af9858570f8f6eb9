// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layers_panel.h"

#include "ui/model/share_delegate.h"
#include "ui/model/totals_row.h"
#include "ui/theme/theme.h"
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>

namespace stageloom {

LayersPanel::LayersPanel(LayersModel& layers, QWidget* parent)
    : Panel(tr("Layers"), parent)
    , m_layers(layers)
    , m_table(new QTableView)
{
    auto* search = new QLineEdit;
    auto* hits = makeLabel(QString(), "caption");
    search->setPlaceholderText(tr("Search layers"));
    search->setClearButtonEnabled(true);
    search->setToolTip(tr("Keeps the layers whose name contains this (Ctrl+F)"));
    search->setAccessibleName(tr("Search layers"));
    search->setFixedWidth(180);
    addControl(hits);
    addControl(search);
    m_filter.setSourceModel(&layers);
    m_filter.setFilterCaseSensitivity(Qt::CaseInsensitive);
    connect(search, &QLineEdit::textChanged, this, [this, hits](const QString& text) {
        m_filter.setFilterFixedString(text);
        const int found = m_filter.rowCount();
        hits->setText(
            text.isEmpty() ? QString() : tr("%1 of %2").arg(found).arg(m_layers.rowCount()));
        std::vector<bool> kept(static_cast<std::size_t>(m_layers.rowCount()), text.isEmpty());
        for (int row = 0; row < found; ++row)
            kept[static_cast<std::size_t>(m_filter.mapToSource(m_filter.index(row, 0)).row())]
                = true;
        emit searched(kept);
    });
    auto* find = new QShortcut(QKeySequence::Find, this);
    connect(find, &QShortcut::activated, search, [search] {
        search->setFocus(Qt::ShortcutFocusReason);
        search->selectAll();
    });
    buildTable();
    body()->setSpacing(0);
    body()->addWidget(m_table, 1);
    body()->addWidget(new TotalsRow(layers, m_table->horizontalHeader()));
}

void LayersPanel::buildTable()
{
    m_table->setModel(&m_filter);
    m_table->setItemDelegateForColumn(LayersModel::Share, new ShareDelegate(m_table));
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(Theme::kRowHeight);
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Stretch);
    header->setHighlightSections(false);
    header->setMinimumSectionSize(64);
    m_table->setAccessibleName(tr("Layers"));
    m_table->setToolTip(tr("A row chooses its block in the strip"));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& now) {
            if (!m_following && now.isValid())
                emit layerChosen(m_filter.mapToSource(now).row());
        });
    setTimesShown(false);
}

void LayersPanel::setTimesShown(bool shown)
{
    m_table->setColumnHidden(LayersModel::Forward, !shown);
    m_table->setColumnHidden(LayersModel::Backward, !shown);
}

void LayersPanel::setCurrent(int layer)
{
    m_following = true;
    const QModelIndex row = layer < 0
        ? QModelIndex()
        : m_filter.mapFromSource(m_layers.index(layer, LayersModel::Name));
    if (row.isValid()) {
        m_table->setCurrentIndex(row);
        m_table->scrollTo(row);
    } else {
        m_table->clearSelection();
        m_table->selectionModel()->clearCurrentIndex();
    }
    m_following = false;
}

} // namespace stageloom
