// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plans_model.h"

#include "core/schedule/registry.h"
#include "ui/theme/text.h"
#include <cmath>

namespace stageloom {

namespace {

// Three digits: more than an estimate knows, and enough to tell neighbours apart.
QString roundedRate(double perSecond)
{
    if (perSecond <= 0)
        return QStringLiteral("–");
    const double step = std::pow(10, std::max(0.0, std::floor(std::log10(perSecond)) - 2));
    const auto rounded = static_cast<std::int64_t>(std::llround(perSecond / step) * step);
    return QString::fromStdString(groupDigits(rounded));
}

bool samePlan(const Plan& a, const Plan& b)
{
    return a.stages == b.stages && a.schedule == b.schedule && a.microbatches == b.microbatches
        && a.microbatchSize == b.microbatchSize && a.seq == b.seq && a.dtype == b.dtype
        && a.modelConfig == b.modelConfig && a.topology.name == b.topology.name;
}

QString sentence(const std::string& text)
{
    QString words = QString::fromStdString(text);
    if (!words.isEmpty())
        words[0] = words[0].toUpper();
    return words;
}

} // namespace

QString layoutWords(int depth, int width)
{
    return PlansModel::tr("%1, %2").arg(PlansModel::tr("%n stage(s)", nullptr, depth),
        PlansModel::tr("%n replica(s)", nullptr, width));
}

QString delayWords(const std::string& schedule)
{
    const ScheduleInfo* info = findSchedule(schedule);
    if (info == nullptr)
        return QStringLiteral("–");
    return info->delayBatches < 0 ? PlansModel::tr("by stage")
        : info->delayBatches == 0 ? PlansModel::tr("none")
        : info->delayBatches == 1 ? PlansModel::tr("one batch")
                                  : PlansModel::tr("%n batch(es)", nullptr, info->delayBatches);
}

void PlansModel::setAnswer(std::shared_ptr<const PlannerAnswer> answer)
{
    beginResetModel();
    m_answer = std::move(answer);
    m_edited = m_pinned = -1;
    endResetModel();
}

bool PlansModel::setMarks(const Plan* edited, const Plan* pinned)
{
    const int now[]
        = { edited != nullptr ? rowOf(*edited) : -1, pinned != nullptr ? rowOf(*pinned) : -1 };
    if (now[0] == m_edited && now[1] == m_pinned)
        return false;
    m_edited = now[0];
    m_pinned = now[1];
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    return true;
}

int PlansModel::foundCount() const
{
    return m_answer ? static_cast<int>(m_answer->plans.size()) : 0;
}

const RankedPlan* PlansModel::found(int row) const
{
    return row >= 0 && row < foundCount() ? &m_answer->plans[static_cast<std::size_t>(row)]
                                          : nullptr;
}

int PlansModel::rowOf(const Plan& plan) const
{
    for (int row = 0; row < foundCount(); ++row)
        if (samePlan(found(row)->plan, plan))
            return row;
    return -1;
}

int PlansModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_answer
        ? 0
        : foundCount() + static_cast<int>(m_answer->rejected.size());
}

int PlansModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

PlansModel::Line PlansModel::line(int row) const
{
    if (const RankedPlan* ranked = found(row)) {
        const Plan& plan = ranked->plan;
        return { plan.schedule, ranked->why, plan.depth(), plan.width(), plan.microbatchSize,
            plan.microbatches, ranked->prediction.peakMemory };
    }
    const RejectedPlan& refused = m_answer->rejected[static_cast<std::size_t>(row - foundCount())];
    return { refused.schedule, refused.reason, refused.depth, refused.width, refused.microbatchSize,
        refused.microbatches, refused.peakMemory };
}

QVariant PlansModel::sortKey(int row, int column) const
{
    const RankedPlan* ranked = found(row);
    const Line of = line(row);
    const ScheduleInfo* info = findSchedule(of.schedule);
    switch (column) {
    case Schedule: // short; the words for the filter have its title
        return QString::fromStdString(of.schedule);
    case Layout: { // by stages, then replicas
        constexpr int kMostReplicas = 100'000;
        return of.depth * kMostReplicas + of.width;
    }
    case Size:
        return of.size;
    case Count:
        return of.count;
    case Bubble:
        return ranked != nullptr ? ranked->prediction.metrics.steadyBubbleFraction.value_or(0) : -1;
    case Memory:
        return of.memory;
    case Rate:
        return ranked != nullptr ? ranked->prediction.tokensPerSecond : -1;
    default:
        return info != nullptr ? info->delayBatches : -2;
    }
}

QString PlansModel::cell(int row, int column) const
{
    const QVariant key = sortKey(row, column);
    const RankedPlan* ranked = found(row);
    const QString none = QStringLiteral("–");
    switch (column) {
    case Schedule:
        return key.toString();
    case Layout:
        return layoutWords(line(row).depth, line(row).width);
    case Size:
    case Count:
        return key.toInt() > 0 ? key.toString() : none;
    case Bubble:
        return ranked != nullptr && ranked->prediction.metrics.steadyBubbleFraction
            ? QString::number(100 * key.toDouble(), 'f', 1)
            : none;
    case Memory:
        return key.toDouble() > 0 ? QString::number(key.toDouble() * 0x1p-30, 'f', 1) : none;
    case Rate:
        return roundedRate(key.toDouble());
    default:
        return delayWords(line(row).schedule);
    }
}

QVariant PlansModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int row = index.row();
    const RankedPlan* ranked = found(row);
    switch (role) {
    case Qt::DisplayRole:
        return cell(row, index.column());
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole: {
        const QString why = sentence(line(row).why);
        return index.column() == Layout ? cell(row, Layout) + u'\n' + why : why; // may be cut
    }
    case Qt::TextAlignmentRole:
        return QVariant(
            (index.column() <= Layout || index.column() == Delay ? Qt::AlignLeft : Qt::AlignRight)
            | Qt::AlignVCenter);
    case SortRole:
        return sortKey(row, index.column());
    case MarkRole:
        return QString(row == m_edited ? QStringLiteral("B") : QString())
            + (row == m_pinned ? QStringLiteral("A") : QString());
    case FitsRole:
        return ranked != nullptr;
    case WordsRole: {
        QStringList words;
        for (const int column : { Schedule, Layout, Delay })
            words << cell(row, column);
        words << tr("b %1").arg(cell(row, Size)) << tr("m %1").arg(cell(row, Count))
              << (ranked != nullptr ? tr("fits") : tr("not possible"));
        if (ranked != nullptr)
            words << scheduleTitle(ranked->plan.schedule);
        return words.join(u' ');
    }
    default:
        return {};
    }
}

QVariant PlansModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const struct {
        QString name, tip;
    } heads[] = { { tr("Schedule"), tr("In which order the stages work") },
        { tr("Layout"), tr("Stages and replicas: how the devices are shared out") },
        { tr("b"), tr("Samples a microbatch") },
        { tr("m"), tr("Microbatches a batch and replica") },
        { tr("Idle %"), tr("Steady bubble: share of device time without work") },
        { tr("GiB"), tr("Peak memory of the fullest device") },
        { tr("Tok/s"), tr("Tokens per second of all devices together") },
        { tr("Delay"), tr("How old the weights are that a batch reads") } };
    if (role == Qt::DisplayRole)
        return heads[section].name;
    if (role == Qt::ToolTipRole)
        return heads[section].tip;
    if (role == Qt::TextAlignmentRole)
        return data(index(0, section), role).isValid() ? data(index(0, section), role)
                                                       : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

void PlansFilter::setWords(const QString& text)
{
    m_words = text.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

QVariant PlansFilter::headerData(int section, Qt::Orientation orientation, int role) const
{
    const QVariant value = QSortFilterProxyModel::headerData(section, orientation, role);
    if (role != Qt::DisplayRole || section != sortColumn())
        return value;
    return value.toString()
        + (sortOrder() == Qt::DescendingOrder ? QStringLiteral(" ▾") : QStringLiteral(" ▴"));
}

bool PlansFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const bool fits = left.data(PlansModel::FitsRole).toBool();
    if (fits != right.data(PlansModel::FitsRole).toBool())
        return fits == (sortOrder() == Qt::AscendingOrder);
    return QSortFilterProxyModel::lessThan(left, right);
}

bool PlansFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QString words
        = sourceModel()->index(row, 0, parent).data(PlansModel::WordsRole).toString();
    return std::all_of(m_words.begin(), m_words.end(),
        [&words](const QString& word) { return words.contains(word, Qt::CaseInsensitive); });
}

} // namespace stageloom
