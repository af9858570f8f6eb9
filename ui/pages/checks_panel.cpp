// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/checks_panel.h"

#include "ui/theme/theme.h"
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace stageloom {

namespace {

// A dot in the severity's colour, the sentence beside it, wrapped.
class FindingDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto* view = qobject_cast<const QListView*>(option.widget);
        const int wide = (view != nullptr ? view->viewport()->width() : 260) - 24;
        const QRect text
            = QFontMetrics(theme().valueFont())
                  .boundingRect(QRect(0, 0, wide, 1000), Qt::TextWordWrap, index.data().toString());
        return { wide, text.height() + 8 };
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override
    {
        const Theme& look = theme();
        const int severity = index.data(FindingsModel::SeverityRole).toInt();
        const QColor colours[] = { look.bad, look.warning, look.good };
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(colours[std::clamp(severity, 0, 2)]);
        const QRect rect = option.rect;
        painter->drawEllipse(QRectF(rect.left() + 2, rect.top() + 8, 9, 9));
        painter->setFont(look.valueFont());
        painter->setPen(look.text);
        painter->drawText(rect.adjusted(22, 4, 0, 0), Qt::TextWordWrap, index.data().toString());
        painter->restore();
    }
};

} // namespace

ChecksPanel::ChecksPanel(QWidget* parent)
    : Panel(tr("Checks"), parent)
    , m_list(new QListView)
{
    m_list->setModel(&m_model);
    m_list->setItemDelegate(new FindingDelegate(m_list));
    m_list->setResizeMode(QListView::Adjust);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setAccessibleName(tr("Checks"));
    body()->addWidget(m_list);
    connect(m_list, &QListView::activated, this, [this](const QModelIndex& index) {
        const QStringList parts = index.data(FindingsModel::PathRole).toString().split(u'/');
        if (parts.size() > 2 && parts[1] == QStringLiteral("stages"))
            emit stageNamed(parts[2].toInt());
    });
}

void ChecksPanel::show(const Prediction* prediction, const QString& error)
{
    std::vector<PlanFinding> findings;
    if (!error.isEmpty())
        findings.push_back({ PlanFinding::Severity::Error, "", error.toStdString() });
    if (prediction != nullptr && error.isEmpty()) {
        findings = prediction->findings;
        if (prediction->proof.ok())
            findings.push_back({ PlanFinding::Severity::Note, "",
                tr("No deadlock, and the right weight versions, for any timing").toStdString() });
    }
    m_model.setFindings(std::move(findings));
}

} // namespace stageloom
