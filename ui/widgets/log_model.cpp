// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/log_model.h"

#include <algorithm>

namespace stageloom {

void LogModel::append(const std::vector<LogLine>& lines)
{
    if (lines.empty())
        return;
    const std::size_t keep = std::min<std::size_t>(lines.size(), kLimit);
    const int surplus = static_cast<int>(m_lines.size() + keep) - kLimit;
    if (surplus > 0) {
        beginRemoveRows({}, 0, surplus - 1);
        m_lines.erase(m_lines.begin(), m_lines.begin() + surplus);
        endRemoveRows();
    }
    const int first = static_cast<int>(m_lines.size());
    beginInsertRows({}, first, first + static_cast<int>(keep) - 1);
    m_lines.insert(m_lines.end(), lines.end() - static_cast<std::ptrdiff_t>(keep), lines.end());
    endInsertRows();
}

void LogModel::prepend(const std::vector<LogLine>& earlier)
{
    const auto same
        = [](const LogLine& a, const LogLine& b) { return a.time == b.time && a.text == b.text; };
    auto end = earlier.end();
    if (!m_lines.empty())
        end = std::find_if(earlier.begin(), earlier.end(),
            [&](const LogLine& line) { return same(line, m_lines.front()); });
    const auto room = static_cast<std::ptrdiff_t>(kLimit - m_lines.size());
    const auto begin = end - std::min(room, end - earlier.begin());
    if (begin == end)
        return;
    beginInsertRows({}, 0, static_cast<int>(end - begin) - 1);
    m_lines.insert(m_lines.begin(), begin, end);
    endInsertRows();
}

void LogModel::clear()
{
    beginResetModel();
    m_lines.clear();
    endResetModel();
}

int LogModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

QVariant LogModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const LogLine& line = m_lines[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) {
        const int seconds = static_cast<int>(line.time);
        return QStringLiteral("%1:%2  %3")
            .arg(seconds / 60, 2, 10, QLatin1Char('0'))
            .arg(seconds % 60, 2, 10, QLatin1Char('0'))
            .arg(QString::fromStdString(line.text));
    }
    if (role == LevelRole)
        return QString::fromStdString(line.level);
    return {};
}

} // namespace stageloom
