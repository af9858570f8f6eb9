// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/range_dialog.h"

#include "core/base/units.h"
#include "ui/theme/theme.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_view.h"
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <numeric>

namespace stageloom {

namespace {

constexpr int kSoon = 120; // ms

QString number(std::size_t value)
{
    return QString::fromStdString(groupDigits(static_cast<std::int64_t>(value)));
}

} // namespace

RangeDialog::RangeDialog(TimelineView* view)
    : QDialog(view)
    , m_view(view)
    , m_range(new QLabel)
    , m_note(new QLabel)
    , m_by(new QComboBox)
    , m_table(new QTableView)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Statistics of a range"));
    resize(720, 420);
    m_by->addItem(tr("By stage"), static_cast<int>(GroupBy::Stage));
    m_by->addItem(tr("By microbatch"), static_cast<int>(GroupBy::Microbatch));
    m_by->addItem(tr("By device"), static_cast<int>(GroupBy::Device));
    build();
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoon);
    connect(&m_soon, &QTimer::timeout, this, &RangeDialog::count);
    connect(m_by, &QComboBox::currentIndexChanged, this, &RangeDialog::count);
    follow();
    count();
    m_table->setFocus();
}

void RangeDialog::build()
{
    m_range->setObjectName(QStringLiteral("title"));
    m_note->setObjectName(QStringLiteral("caption"));
    m_note->setWordWrap(true);
    m_by->setAccessibleName(tr("Rows"));
    m_by->setToolTip(tr("What one row of the table stands for"));
    m_table->setModel(&m_model);
    m_table->setAccessibleName(tr("Statistics of the range"));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(RangeStatisticsModel::Of, Qt::AscendingOrder);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(26);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->addAction(tr("Copy the rows chosen\tCtrl+C"), this, [this] { copy(false); });
    m_table->addAction(tr("Copy all rows"), this, [this] { copy(true); });
    m_table->installEventFilter(this);
    auto* head = new QHBoxLayout;
    head->addWidget(m_range, 1);
    head->addWidget(m_by);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* all = buttons->addButton(tr("Copy all rows"), QDialogButtonBox::ActionRole);
    all->setToolTip(tr("As a table for a spreadsheet, times in seconds"));
    for (auto* button : { all, buttons->button(QDialogButtonBox::Close) })
        button->setAutoDefault(false); // Enter belongs to the table
    connect(all, &QPushButton::clicked, this, [this] { copy(true); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(Theme::kGap);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_note);
    layout->addWidget(buttons);
}

void RangeDialog::follow()
{
    TimelineState& state = m_view->state();
    const auto soon = [this] {
        if (!m_soon.isActive())
            m_soon.start();
    };
    connect(&state, &TimelineState::selectionChanged, this, soon);
    connect(&state, &TimelineState::visibleChanged, this, [this, soon] {
        if (!m_view->state().selection())
            soon();
    });
    connect(m_view, &TimelineView::tracesChanged, this, soon);
}

GroupBy RangeDialog::by() const
{
    return static_cast<GroupBy>(m_by->currentData().toInt());
}

void RangeDialog::count()
{
    m_soon.stop();
    const TimelineState& state = m_view->state();
    const TimeRange range = state.selection().value_or(state.visible());
    const bool seconds = m_view->model().seconds();
    m_range->setText(
        (state.selection() ? tr("Selected: %1 – %2 (%3)") : tr("In sight: %1 – %2 (%3)"))
            .arg(timeText(range.begin, seconds), timeText(range.end, seconds),
                timeText(range.length(), seconds)));
    m_stale = m_job.running();
    if (m_stale)
        return; // one count at a time; the next follows it
    const auto side = m_view->model().shared(shownSide(m_view->model(), state.mode()));
    const std::size_t most = mostSpansWithin(*side, range);
    if (most <= kMostAtOnce)
        return take(operationStatistics(*side, range, by()), by());
    m_model.setStatistics({}, by(), {}, seconds);
    m_note->setText(tr("counting %1 operations…").arg(number(most)));
    m_job.start([side, range, by = by()] { return operationStatistics(*side, range, by); },
        [this, by = by()](OperationStatistics statistics) {
            if (m_stale)
                m_soon.start();
            else
                take(std::move(statistics), by);
        });
}

void RangeDialog::take(OperationStatistics statistics, GroupBy by)
{
    const std::size_t spans = statistics.spans, left = statistics.left;
    QString note = spans == 0 ? tr("No operation lies in this range.")
                              : tr("%1 operations; those that reach over an end of the range count "
                                   "with the part inside.")
                                    .arg(number(spans));
    if (left > 0)
        note += QLatin1Char(' ')
            + tr("The %1 rows with the longest total are shown, %2 are left out.")
                  .arg(number(statistics.groups.size()), number(left));
    m_model.setStatistics(
        std::move(statistics), by, m_view->deviceNames(), m_view->model().seconds());
    m_note->setText(note);
}

void RangeDialog::copy(bool all)
{
    std::vector<int> rows;
    for (const QModelIndex& one : m_table->selectionModel()->selectedRows())
        rows.push_back(one.row());
    std::ranges::sort(rows);
    if (all || rows.empty()) {
        rows.resize(static_cast<std::size_t>(m_model.rowCount()));
        std::iota(rows.begin(), rows.end(), 0);
    }
    QApplication::clipboard()->setText(m_model.tsv(rows));
}

// The view itself would copy one cell.
bool RangeDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_table || event->type() != QEvent::KeyPress
        || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
        return QDialog::eventFilter(watched, event);
    copy(false);
    return true;
}

} // namespace stageloom
