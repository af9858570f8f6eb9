// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/matrix_panel.h"

#include "ui/theme/theme.h"
#include "ui/topology/machine_menu.h"
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QShortcut>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace stageloom {

namespace {

constexpr int kCellWide = 36, kCellHigh = 24; // px, the least
constexpr int kMostLeast = 300; // px: eight devices do not scroll on a small screen
constexpr int kMostWide = 104, kMostHigh = 28; // of a machine of few devices

// A cell with a rim where the plan uses the pair: amber without peer access.
class MatrixCells : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override
    {
        const Theme& look = theme();
        const QRectF cell = QRectF(option.rect).adjusted(1, 1, -1, -1);
        const auto use = static_cast<TopologyMatrixModel::Use>(
            index.data(TopologyMatrixModel::UseRole).toInt());
        const bool chosen = (option.state & QStyle::State_Selected) != 0;
        const bool amber = use == TopologyMatrixModel::Use::WithoutPeerAccess;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(index.data(Qt::BackgroundRole).value<QColor>());
        painter->drawRoundedRect(cell, 3, 3);
        painter->setBrush(Qt::NoBrush);
        if (chosen || use != TopologyMatrixModel::Use::None) {
            painter->setPen(QPen(chosen ? look.accent
                    : amber             ? look.warning
                                        : look.text,
                chosen ? 2.5 : 1.6));
            painter->drawRoundedRect(cell.adjusted(1, 1, -1, -1), 3, 3);
        }
        QFont font = look.captionFont();
        font.setWeight(use != TopologyMatrixModel::Use::None ? QFont::DemiBold : QFont::Normal);
        painter->setFont(font);
        painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
        painter->drawText(cell, Qt::AlignCenter, index.data().toString());
        painter->restore();
    }
};

} // namespace

MatrixPanel::MatrixPanel(TopologyState& state, QWidget* parent)
    : Panel(tr("Link matrix"), parent)
    , m_state(state)
    , m_table(new QTableView)
{
    setCaption(tr("GB/s one way · outlined: used by the plan"));
    buildTable();
    body()->addWidget(m_table, 1);
    connect(&state, &TopologyState::changed, this, &MatrixPanel::showTopology);
    connect(&state, &TopologyState::selectionChanged, this, &MatrixPanel::showSelection);
    connect(&themeNotifier(), &ThemeNotifier::changed, m_table->viewport(),
        qOverload<>(&QWidget::update));
    showTopology();
}

void MatrixPanel::buildTable()
{
    m_table->setModel(&m_matrix);
    m_table->setItemDelegate(new MatrixCells(m_table));
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    for (QHeaderView* header : { m_table->horizontalHeader(), m_table->verticalHeader() }) {
        header->setSectionResizeMode(QHeaderView::Fixed);
        header->setHighlightSections(true);
        header->setMinimumSectionSize(24);
        header->setDefaultAlignment(Qt::AlignCenter);
    }
    m_table->horizontalHeader()->setDefaultSectionSize(kCellWide);
    m_table->verticalHeader()->setDefaultSectionSize(kCellHigh);
    m_table->verticalHeader()->setFixedWidth(34);
    m_table->setCornerButtonEnabled(false);
    m_table->setObjectName(QStringLiteral("matrix"));
    m_table->setAccessibleName(tr("Link matrix"));
    m_table->setToolTip(tr("How fast each pair is joined; Delete unplugs the one chosen"));
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
        [this](const QModelIndex& now) {
            if (!m_following && now.isValid())
                m_state.selectPair(now.row(), now.column());
        });
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint& place) {
        if (QMenu* menu = makeMachineMenu(m_state, m_state.selection(), this)) {
            menu->setAttribute(Qt::WA_DeleteOnClose);
            menu->popup(m_table->viewport()->mapToGlobal(place));
        }
    });
    auto* unplug = new QShortcut(QKeySequence::Delete, m_table);
    unplug->setContext(Qt::WidgetWithChildrenShortcut);
    connect(unplug, &QShortcut::activated, this, [this] {
        if (m_state.selection().isPair())
            m_state.unplug(m_state.selection().a, m_state.selection().b);
    });
}

void MatrixPanel::showTopology()
{
    m_following = true;
    fit();
    m_matrix.setTopology(m_state.topology().value_or(Topology {}));
    m_following = false;
    showSelection();
}

// Cells grow into the room there is, and the panel is no higher than they need.
void MatrixPanel::fit()
{
    const int count = std::max(
        1, static_cast<int>(m_state.topology() ? m_state.topology()->devices.size() : 0));
    const int room = m_table->viewport()->width();
    const int wide = std::clamp(room / count, kCellWide, kMostWide);
    const int high = std::clamp(wide / 2, kCellHigh, kMostHigh);
    m_table->horizontalHeader()->setDefaultSectionSize(wide);
    m_table->verticalHeader()->setDefaultSectionSize(high);
    const int around = height() - m_table->viewport()->height();
    const int bar = count * wide > room ? m_table->horizontalScrollBar()->sizeHint().height() : 0;
    if (height() > 0 && m_table->isVisible()) {
        const int whole = around + count * high + bar + 4;
        setMinimumHeight(std::min(whole, kMostLeast));
        setMaximumHeight(whole);
    }
}

void MatrixPanel::resizeEvent(QResizeEvent* event)
{
    Panel::resizeEvent(event);
    fit();
}

void MatrixPanel::showEvent(QShowEvent* event)
{
    Panel::showEvent(event);
    fit();
}

void MatrixPanel::showSelection()
{
    const MachineSelection& now = m_state.selection();
    m_following = true;
    if (now.isPair()) {
        const QModelIndex cell = m_table->currentIndex();
        // The mirrored cell of the same pair stays where it was chosen.
        if (cell.row() != now.b || cell.column() != now.a)
            m_table->setCurrentIndex(m_matrix.index(now.a, now.b));
    } else if (now.isDevice()) {
        m_table->setCurrentIndex(m_matrix.index(now.a, now.a));
    } else {
        m_table->clearSelection();
        m_table->selectionModel()->clearCurrentIndex();
    }
    m_following = false;
}

} // namespace stageloom
