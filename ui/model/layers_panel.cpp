// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layers_panel.h"

#include "ui/model/number_cells.h"
#include "ui/model/totals_row.h"
#include "ui/theme/theme.h"
#include <QHeaderView>
#include <QLineEdit>
#include <QShortcut>
#include <QTreeView>
#include <QVBoxLayout>
#include <cmath>

namespace stageloom {

namespace {

constexpr int kNameWide = 136; // px

} // namespace

bool LayersOrder::lessThan(const QModelIndex& a, const QModelIndex& b) const
{
    const auto* layers = static_cast<const LayersModel*>(sourceModel());
    const auto isOne = [&](const QModelIndex& index) {
        const LayersModel::Place place = layers->placeOf(index);
        return place.one && place.part < 0;
    };
    if (isOne(a) != isOne(b))
        return isOne(a) == (sortOrder() == Qt::AscendingOrder);
    const QVariant x = a.data(LayersModel::ValueRole), y = b.data(LayersModel::ValueRole);
    if (a.column() <= LayersModel::Shape)
        return QString::localeAwareCompare(x.toString(), y.toString()) < 0;
    const auto known = [](double v) { return std::isnan(v) ? -1 : v; };
    return known(x.toDouble()) < known(y.toDouble());
}

LayersPanel::LayersPanel(LayersModel& layers, QWidget* parent)
    : Panel(tr("Layers"), parent)
    , m_layers(layers)
    , m_table(new QTreeView)
{
    auto* field = new QLineEdit;
    field->setPlaceholderText(tr("Search layers"));
    field->setClearButtonEnabled(true);
    field->setToolTip(tr("Keeps layers and operators whose name contains this (Ctrl+F)"));
    field->setAccessibleName(tr("Search layers"));
    field->setFixedWidth(160);
    addControl(field);
    connect(field, &QLineEdit::textChanged, this, &LayersPanel::search);
    auto* find = new QShortcut(QKeySequence::Find, this);
    connect(find, &QShortcut::activated, field, [field] {
        field->setFocus(Qt::ShortcutFocusReason);
        field->selectAll();
    });
    buildTable();
    body()->setSpacing(0);
    body()->addWidget(m_table, 1);
    body()->addWidget(new TotalsRow(layers, m_table->header()));
}

void LayersPanel::buildTable()
{
    m_order.setSourceModel(&m_layers);
    m_order.setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_order.setRecursiveFilteringEnabled(true);
    m_order.setAutoAcceptChildRows(true);
    m_table->setModel(&m_order);
    m_table->setItemDelegate(new NumberCells(m_table));
    m_table->setUniformRowHeights(true);
    m_table->setIndentation(16);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setAccessibleName(tr("Layers"));
    m_table->setToolTip(tr("A row is explained below; Right opens it to its operators"));
    m_table->setAccessibleDescription(tr("Right opens a row to its operators, Left closes it"));
    QHeaderView* header = m_table->header();
    header->setStretchLastSection(false);
    header->setSectionsMovable(false);
    header->setMinimumSectionSize(40);
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setSectionResizeMode(LayersModel::Name, QHeaderView::Stretch);
    m_table->setSortingEnabled(true);
    header->setSortIndicatorClearable(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    header->setToolTip(tr("Sorts by this column; a third click brings the model's order back"));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& now) {
            if (m_following || !now.isValid())
                return;
            const LayersModel::Place place = m_layers.placeOf(m_order.mapToSource(now));
            emit chosen(place.firstLayer, place.part);
        });
    setTimesShown(false);
}

void LayersPanel::search(const QString& text)
{
    m_order.setFilterFixedString(text);
    int layers = 0;
    std::vector<bool> kept;
    for (int top = 0; top < m_layers.rowCount(); ++top) {
        const QModelIndex row = m_layers.index(top, 0);
        const LayersModel::Place place = m_layers.placeOf(row);
        layers = std::max(layers, place.lastLayer + 1);
        kept.resize(static_cast<std::size_t>(layers), m_order.mapFromSource(row).isValid());
    }
    if (!text.isEmpty())
        m_table->expandAll();
    emit searched(kept);
}

void LayersPanel::openFolds()
{
    for (int top = 0; top < m_order.rowCount(); ++top) {
        const QModelIndex row = m_order.index(top, 0);
        const LayersModel::Place place = m_layers.placeOf(m_order.mapToSource(row));
        m_table->setExpanded(row, place.lastLayer > place.firstLayer);
    }
    fit();
}

void LayersPanel::setTimesShown(bool shown)
{
    m_table->setColumnHidden(LayersModel::Forward, !shown);
    m_table->setColumnHidden(LayersModel::Backward, !shown);
    fit();
}

// As wide as the header and the longest number need.
int LayersPanel::widthOf(int column) const
{
    QFont strong = theme().valueFont();
    strong.setWeight(QFont::DemiBold);
    const QFontMetrics numbers(strong), words(m_table->header()->font());
    int wide = 0;
    for (const QString& line :
        m_layers.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().split(u'\n'))
        wide = std::max(wide, words.horizontalAdvance(line) + 18);
    QStringList texts { m_layers.total(column) };
    for (int top = 0; top < m_layers.rowCount(); ++top)
        texts << m_layers.index(top, column).data().toString();
    for (const QString& text : texts)
        wide = std::max(
            wide, numbers.horizontalAdvance(text.section(u'.', 0, 0) + QStringLiteral(".00")) + 14);
    return wide;
}

// The shapes go where numbers need the room; each row's tooltip has them.
void LayersPanel::fit()
{
    int numbers = 0;
    for (int column = LayersModel::Parameters; column < LayersModel::ColumnCount; ++column) {
        const int wide = widthOf(column);
        m_table->setColumnWidth(column, wide);
        if (!m_table->isColumnHidden(column))
            numbers += wide;
    }
    const int shape = std::max(
        108, static_cast<const QAbstractItemView*>(m_table)->sizeHintForColumn(LayersModel::Shape));
    m_table->setColumnWidth(LayersModel::Shape, shape);
    m_table->setColumnHidden(
        LayersModel::Shape, m_table->viewport()->width() < numbers + shape + kNameWide);
}

void LayersPanel::resizeEvent(QResizeEvent* event)
{
    Panel::resizeEvent(event);
    fit();
}

void LayersPanel::setCurrent(int layer, int part)
{
    m_following = true;
    const QModelIndex row
        = layer < 0 ? QModelIndex() : m_order.mapFromSource(m_layers.indexOf(layer, part));
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
