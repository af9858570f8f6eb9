// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/log_view.h"

#include "ui/theme/theme.h"
#include <QComboBox>
#include <QScrollBar>
#include <QStyledItemDelegate>

namespace stageloom {

namespace {

int weightOf(const QString& level)
{
    return level == QStringLiteral("error") ? 2 : level == QStringLiteral("warning") ? 1 : 0;
}

class LogDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const int weight = weightOf(index.data(LogModel::LevelRole).toString());
        if (weight == 0)
            return;
        // A sign too: colour alone says nothing to some.
        const QString sign = weight == 2 ? QStringLiteral("✕ ") : QStringLiteral("▲ ");
        option->text = option->text.left(7) + sign + option->text.mid(7);
        option->palette.setColor(QPalette::Text, weight == 2 ? theme().bad : theme().warning);
    }
};

} // namespace

bool LogView::Filter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    return weightOf(index.data(LogModel::LevelRole).toString()) >= least;
}

LogView::LogView(LogModel& model, QWidget* parent)
    : QListView(parent)
{
    m_filter.setSourceModel(&model);
    setModel(&m_filter);
    setItemDelegate(new LogDelegate(this));
    setAccessibleName(tr("Log"));
    setWordWrap(true);
    setResizeMode(QListView::Adjust);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // lines wrap
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this,
        [this](int value) { m_follows = value >= verticalScrollBar()->maximum() - 2; });
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, [this] {
        if (m_follows)
            scrollToBottom();
    });
    connect(&m_filter, &QAbstractItemModel::modelReset, this, [this] { m_follows = true; });
}

QComboBox* LogView::makeFilter()
{
    auto* filter = new QComboBox;
    filter->addItems({ tr("All lines"), tr("Warnings and errors"), tr("Errors") });
    filter->setAccessibleName(tr("Lines of the log"));
    filter->setToolTip(tr("Which lines of the log are shown"));
    connect(filter, &QComboBox::currentIndexChanged, this, [this](int least) {
        m_filter.least = least;
        m_filter.changed();
    });
    return filter;
}

} // namespace stageloom
