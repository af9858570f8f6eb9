// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/checks_panel.h"

#include "ui/theme/theme.h"
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace stageloom {

namespace {

constexpr int kDot = 20; // px, with the room after it

// A dot in the severity's colour, the sentence beside it, wrapped.
class FindingDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    // The same width measures and paints: another one wraps elsewhere and cuts the last line.
    static int textWidth(const QStyleOptionViewItem& option)
    {
        const auto* view = qobject_cast<const QListView*>(option.widget);
        return (view != nullptr ? view->viewport()->width() : 260) - kDot - 4;
    }
    static int textHeight(const QStyleOptionViewItem& option, const QModelIndex& index)
    {
        return QFontMetrics(theme().valueFont())
            .boundingRect(
                QRect(0, 0, textWidth(option), 10'000), Qt::TextWordWrap, index.data().toString())
            .height();
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return { textWidth(option), textHeight(option, index) + 8 };
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override
    {
        const Theme& look = theme();
        const int severity = index.data(FindingsModel::SeverityRole).toInt();
        const QColor colours[] = { look.bad, look.warning, look.muted, look.good };
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(colours[std::clamp(severity, 0, 3)]);
        const QRect rect = option.rect;
        painter->drawEllipse(QRectF(rect.left() + 2, rect.top() + 8, 9, 9));
        painter->setFont(look.valueFont());
        painter->setPen(look.text);
        painter->drawText(
            QRect(rect.left() + kDot, rect.top() + 4, textWidth(option), textHeight(option, index)),
            Qt::TextWordWrap, index.data().toString());
        painter->restore();
    }
};

} // namespace

ChecksPanel::ChecksPanel(QWidget* parent)
    : Panel(tr("Checks"), parent)
    , m_list(new QListView)
    , m_remedy(new QPushButton)
{
    m_list->setModel(&m_model);
    m_list->setItemDelegate(new FindingDelegate(m_list));
    m_list->setResizeMode(QListView::Adjust);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setAccessibleName(tr("Checks"));
    m_list->setToolTip(tr("A click or Enter goes to the place that is meant"));
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    body()->addWidget(m_list);
    body()->addWidget(m_remedy, 0, Qt::AlignLeft);
    m_remedy->hide();
    connect(m_remedy, &QPushButton::clicked, this, [this] {
        if (m_doRemedy)
            m_doRemedy();
    });
    const auto go = [this](const QModelIndex& index) {
        emit placeNamed(index.data(FindingsModel::PathRole).toString());
    };
    connect(m_list, &QListView::clicked, this, go);
    connect(m_list, &QListView::activated, this, go);
}

void ChecksPanel::offer(const QString& remedy, const std::function<void()>& doRemedy)
{
    m_doRemedy = doRemedy;
    m_remedy->setText(remedy);
    m_remedy->setToolTip(tr("One edit, that undoes"));
    m_remedy->setVisible(!remedy.isEmpty());
}

void ChecksPanel::show(
    const Prediction* prediction, const QString& error, const std::vector<PlanFinding>& notes)
{
    std::vector<PlanFinding> findings;
    QString proved;
    if (!error.isEmpty())
        findings.push_back({ PlanFinding::Severity::Error, "", error.toStdString() });
    if (prediction != nullptr && error.isEmpty()) {
        findings = prediction->findings;
        findings.insert(findings.end(), notes.begin(), notes.end());
        if (prediction->proof.ok())
            proved = tr("No deadlock, and the right weight versions, for any timing");
    }
    m_model.setFindings(std::move(findings), proved);
    m_list->doItemsLayout(); // now, not in a second frame
}

} // namespace stageloom
