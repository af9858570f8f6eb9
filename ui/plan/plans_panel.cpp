// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plans_panel.h"

#include "ui/plots/scatter_plot.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plan_marks.h"
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QShortcut>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

namespace stageloom {

namespace {

constexpr int kMargin = 5, kBadge = 18, kRow = 26; // px
constexpr int kPlotRoom = 276; // px: below it only the rows are shown

// Narrow cells, the marks A and B in front, grey for what cannot be taken.
class PlanCell : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override
    {
        const int badges = index.column() == PlansModel::Schedule
            ? static_cast<int>(index.data(PlansModel::MarkRole).toString().size()) * kBadge
            : 0;
        QFont strong = theme().captionFont(); // as the plan in hand and the rates are written
        strong.setWeight(QFont::DemiBold);
        return { QFontMetrics(strong).horizontalAdvance(index.data().toString()) + 2 * kMargin
                + badges,
            kRow };
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override
    {
        const Theme& look = theme();
        const QString marks = index.data(PlansModel::MarkRole).toString();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected || !marks.isEmpty())
            painter->fillRect(option.rect,
                selected ? look.accentSoft : Theme::mix(look.accentSoft, look.panel, 0.5));
        QFont font = look.captionFont();
        const bool strong = marks.contains(u'B') || index.column() == PlansModel::Rate;
        font.setWeight(strong ? QFont::DemiBold : QFont::Normal);
        const bool fits = index.data(PlansModel::FitsRole).toBool();
        QRect room = option.rect.adjusted(kMargin, 0, -kMargin, 0);
        if (index.column() == PlansModel::Schedule)
            for (const QChar mark : marks) {
                paintMark(
                    *painter, QRectF(room.left(), room.center().y() - 7.5, 15, 15), QString(mark));
                room.setLeft(room.left() + kBadge);
            }
        painter->setFont(font);
        painter->setPen(fits ? look.text : look.muted);
        const QString text = index.data().toString();
        painter->drawText(room, index.data(Qt::TextAlignmentRole).toInt(),
            QFontMetrics(font).elidedText(text, Qt::ElideRight, room.width()));
        painter->restore();
    }
};

} // namespace

std::vector<bool> paretoFront(const std::vector<std::pair<double, double>>& memoryAndRate)
{
    std::vector<bool> front;
    for (const auto& [memory, rate] : memoryAndRate) {
        bool beaten = false;
        for (const auto& [m, r] : memoryAndRate)
            beaten = beaten || (m <= memory && r >= rate && (m < memory || r > rate));
        front.push_back(!beaten);
    }
    return front;
}

PlansPanel::PlansPanel(QWidget* parent)
    : Panel(tr("Plans found"), parent)
    , m_words(new QLineEdit)
    , m_table(new QTableView)
    , m_plot(new ScatterPlot)
    , m_plotHead(new QWidget)
    , m_why(makeLabel(QString(), "caption"))
    , m_empty(new EmptyNotice(tr("None yet"),
          tr("“Plan for me…” compares schedules, stages, replicas and microbatches.")))
{
    m_filter.setSourceModel(&m_model);
    m_filter.setSortRole(PlansModel::SortRole);
    m_words->setPlaceholderText(tr("Filter"));
    m_words->setToolTip(tr("Words that a row must have: 1f1b, “4 stages”, “b 8”, fits"));
    m_words->setAccessibleName(tr("Filter the plans found"));
    m_words->setFixedWidth(108);
    m_words->setClearButtonEnabled(true);
    addControl(m_words);
    m_table->setModel(&m_filter);
    m_table->setItemDelegate(new PlanCell(m_table));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder); // as the planner ranks them
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRow);
    m_table->verticalHeader()->setMinimumSectionSize(kRow);
    m_table->horizontalHeader()->setMinimumSectionSize(16);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setObjectName(QStringLiteral("plans found"));
    m_table->setAccessibleName(tr("Plans found"));
    m_table->setToolTip(tr("A click shows a plan; a double click or Enter takes it"));
    m_table->setMinimumHeight(3 * kRow);
    m_plot->setMinimumHeight(1); // it goes before it would keep the window from being lower
    auto* head = new QHBoxLayout(m_plotHead);
    head->setContentsMargins(0, 0, 0, 0);
    head->addWidget(makeLabel(tr("Tokens/s over peak memory, GiB"), "caption"), 1);
    head->addWidget(makeLabel(tr("○ not possible"), "caption"));
    m_why->setWordWrap(true);
    m_why->setTextFormat(Qt::PlainText);
    body()->addWidget(m_empty, 1);
    body()->addWidget(m_table, 3);
    body()->addWidget(m_why);
    body()->addWidget(m_plotHead);
    body()->addWidget(m_plot, 2);
    connect(m_words, &QLineEdit::textChanged, this,
        [this](const QString& text) { m_filter.setWords(text); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &PlansPanel::look);
    connect(m_table, &QTableView::doubleClicked, this, &PlansPanel::take);
    for (const int key : { Qt::Key_Return, Qt::Key_Enter }) {
        auto* enter = new QShortcut(QKeySequence(key), m_table);
        enter->setContext(Qt::WidgetShortcut);
        connect(enter, &QShortcut::activated, this, [this] { take(m_table->currentIndex()); });
    }
    connect(m_plot, &ScatterPlot::activated, this, [this](int point) {
        const int row = m_plotted[static_cast<std::size_t>(point)];
        const QModelIndex index = m_filter.mapFromSource(m_model.index(row, 0));
        if (index.isValid())
            m_table->selectRow(index.row());
    });
    clear();
}

int PlansPanel::sourceRow(const QModelIndex& index) const
{
    return m_filter.mapToSource(index).row();
}

void PlansPanel::take(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    if (const RankedPlan* found = m_model.found(sourceRow(index)))
        emit planChosen(Plan(found->plan));
}

void PlansPanel::look(const QModelIndex& index)
{
    const int row = index.isValid() ? sourceRow(index) : -1;
    showWhy(row);
    const auto point = std::find(m_plotted.begin(), m_plotted.end(), row);
    m_plot->setCurrent(point == m_plotted.end() ? -1 : static_cast<int>(point - m_plotted.begin()));
    const RankedPlan* found = m_model.found(row);
    if (found == nullptr || index.data(PlansModel::MarkRole).toString().contains(u'B'))
        emit previewed(nullptr, nullptr);
    else
        emit previewed(
            &found->plan, std::shared_ptr<const Prediction>(m_answer, &found->prediction));
}

void PlansPanel::endPreview()
{
    const QSignalBlocker quiet(m_table->selectionModel());
    m_table->clearSelection();
    m_table->setCurrentIndex({});
    m_table->viewport()->update();
    m_plot->setCurrent(-1);
    showWhy(-1);
}

void PlansPanel::showWhy(int row)
{
    m_why->setText(row < 0 ? QString() : m_model.index(row, 0).data(Qt::ToolTipRole).toString());
    m_why->setVisible(row >= 0 && height() >= kPlotRoom);
}

void PlansPanel::follow(const Plan& edited, const Plan* pinned)
{
    if (m_model.setMarks(&edited, pinned)) {
        fitColumns();
        showPlot();
    }
}

void PlansPanel::clear()
{
    m_answer.reset();
    m_model.setAnswer(nullptr);
    m_plotted.clear();
    m_counts.clear();
    setCaption({});
    m_empty->show();
    for (QWidget* part :
        std::initializer_list<QWidget*> { m_words, m_table, m_why, m_plot, m_plotHead })
        part->hide();
}

void PlansPanel::setBusy(const QString& words)
{
    setCaption(words.isEmpty() ? m_counts : words);
}

void PlansPanel::show(std::shared_ptr<const PlannerAnswer> found)
{
    m_answer = std::move(found);
    m_model.setAnswer(m_answer);
    const PlannerAnswer& answer = *m_answer;
    m_counts = tr("best %1 of %2 looked at").arg(answer.plans.size()).arg(answer.considered);
    setCaption(m_counts);
    m_empty->setVisible(answer.plans.empty());
    for (QWidget* part : std::initializer_list<QWidget*> { m_words, m_table })
        part->setVisible(!answer.plans.empty());
    if (answer.plans.empty() && !answer.rejected.empty())
        m_empty->setHint(QString::fromStdString(answer.rejected.front().reason));
    showWhy(-1);
    fitColumns();
    showPlot();
    fitPlot();
}

void PlansPanel::showPlot()
{
    if (!m_answer)
        return;
    const int current = m_plot->current();
    std::vector<std::pair<double, double>> places;
    for (const RankedPlan& ranked : m_answer->plans)
        places.emplace_back(ranked.prediction.peakMemory, ranked.prediction.tokensPerSecond);
    const std::vector<bool> front = paretoFront(places);
    std::vector<ScatterPoint> points;
    m_plotted.clear();
    for (std::size_t i = 0; i < places.size(); ++i) {
        points.push_back({ places[i].first * 0x1p-30, places[i].second, front[i],
            shortPlanText(m_answer->plans[i].plan), true,
            m_model.index(static_cast<int>(i), 0).data(PlansModel::MarkRole).toString() });
        m_plotted.push_back(static_cast<int>(i));
    }
    double room = 0; // of the fullest stage's device: equal on all machines but odd ones
    if (!m_answer->plans.empty()) {
        const RankedPlan& best = m_answer->plans.front();
        for (const StagePrediction& stage : best.prediction.stages)
            room = std::max(room, stage.capacityBytes);
        const auto seq = static_cast<double>(best.prediction.model.seq);
        for (std::size_t i = 0; i < m_answer->rejected.size(); ++i) {
            const RejectedPlan& refused = m_answer->rejected[i];
            if (refused.peakMemory <= 0)
                continue;
            points.push_back({ refused.peakMemory * 0x1p-30, refused.mostSamplesPerSecond * seq,
                false, QString::fromStdString(refused.plan + ": " + refused.reason), false, {} });
            m_plotted.push_back(static_cast<int>(places.size() + i));
        }
    }
    m_plot->setPoints(std::move(points));
    m_plot->setLimit(room * 0x1p-30);
    m_plot->setCurrent(current);
}

// Numbers are whole; the words between them take what is left, and the delay goes first.
void PlansPanel::fitColumns()
{
    QHeaderView* header = m_table->horizontalHeader();
    const QFontMetrics metrics(header->font());
    constexpr int kMostMeasured = 200; // rows; a machine of 64 devices refuses thousands
    const int rows = std::min(m_filter.rowCount(), kMostMeasured);
    m_table->setColumnHidden(PlansModel::Delay, false);
    int sum = 0;
    for (int column = 0; column < PlansModel::ColumnCount; ++column) {
        const int head = metrics.horizontalAdvance(
                             m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString())
            + 2 * kMargin;
        int wide = column == PlansModel::Layout ? 0 : head;
        for (int row = 0; row < rows; ++row)
            wide = std::max(wide,
                m_table->itemDelegate()->sizeHint({}, m_filter.index(row, column)).width() + 2);
        header->setSectionResizeMode(column, QHeaderView::Fixed);
        header->resizeSection(column, wide);
        sum += wide;
    }
    const int room = m_table->viewport()->width();
    m_table->setColumnHidden(PlansModel::Delay, sum > room);
    header->setSectionResizeMode(PlansModel::Layout, QHeaderView::Stretch);
}

void PlansPanel::resizeEvent(QResizeEvent* event)
{
    Panel::resizeEvent(event);
    fitPlot();
    if (m_answer)
        fitColumns();
}

// On a low window the rows are what matters.
void PlansPanel::fitPlot()
{
    const bool room = m_answer && m_answer->plans.size() > 1 && height() >= kPlotRoom;
    m_plot->setVisible(room);
    m_plotHead->setVisible(room);
}

} // namespace stageloom
