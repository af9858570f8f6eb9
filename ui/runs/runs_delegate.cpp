// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_delegate.h"

#include "ui/runs/runs_model.h"
#include "ui/theme/theme.h"
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>

namespace stageloom {

namespace {

constexpr int kMargin = 8, kDot = 9, kChipPad = 6;

QRect fromLeading(const QStyleOptionViewItem& option, const QRect& logical)
{
    return QStyle::visualRect(option.direction, option.rect, logical);
}

// A shape of its own a state, so that colour alone says nothing.
void paintDot(QPainter& painter, const QRectF& box, RunState state)
{
    const Theme& t = theme();
    switch (state) {
    case RunState::Running: {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(box.adjusted(1, 1, -1, -1));
        break;
    }
    case RunState::Finished:
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.good);
        painter.drawEllipse(box);
        break;
    case RunState::Stopped:
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.muted);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        break;
    case RunState::Failed:
        painter.setPen(QPen(t.bad, 2.2, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(box.topLeft(), box.bottomRight());
        painter.drawLine(box.topRight(), box.bottomLeft());
        break;
    case RunState::Lost:
        painter.setPen(QPen(t.warning, 2, Qt::DotLine, Qt::RoundCap));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(box.adjusted(1, 1, -1, -1));
        break;
    }
}

void paintText(
    QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, int leading)
{
    const Qt::Alignment aligned
        = QStyle::visualAlignment(option.direction, option.displayAlignment);
    const QRect place
        = fromLeading(option, option.rect.adjusted(kMargin + leading, 0, -kMargin, 0));
    painter.setPen(theme().text);
    painter.setFont(option.font);
    painter.drawText(place, static_cast<int>(aligned),
        option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, place.width()));
}

void paintState(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const QRect dot(option.rect.left() + kMargin, option.rect.center().y() - kDot / 2, kDot, kDot);
    paintDot(painter, QRectF(fromLeading(option, dot)),
        static_cast<RunState>(index.data(RunsModel::StateRole).toInt()));
    paintText(painter, option, index, kDot + 7);
}

void paintTags(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const Theme& t = theme();
    painter.setFont(t.captionFont());
    const QFontMetrics metrics(painter.font());
    const int height = metrics.height() + 4;
    int x = option.rect.left() + kMargin;
    for (const std::string& tag : tagsFromText(index.data(Qt::EditRole).toString())) {
        const int room = option.rect.right() - x - 4;
        if (room < 24)
            break;
        const QString word
            = metrics.elidedText(QString::fromStdString(tag), Qt::ElideRight, room - 2 * kChipPad);
        const QRect chip(x, option.rect.center().y() - height / 2,
            metrics.horizontalAdvance(word) + 2 * kChipPad, height);
        painter.setPen(Qt::NoPen);
        painter.setBrush(Theme::mix(t.accent, t.panel, 0.14));
        const QRect shown = fromLeading(option, chip);
        painter.drawRoundedRect(shown, 4, 4);
        painter.setPen(t.text);
        painter.drawText(shown, Qt::AlignCenter, word);
        x += chip.width() + 4;
    }
}

// The colour and the dash pattern of the run's curve.
void paintMark(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const QColor colour = index.data(RunsModel::MarkRole).value<QColor>();
    if (!colour.isValid())
        return;
    constexpr int kWide = 4, kRest = 7; // px
    const QRect bar = fromLeading(option,
        { option.rect.left() + 4, option.rect.top() + kRest, kWide,
            option.rect.height() - 2 * kRest });
    const auto dash = static_cast<Qt::PenStyle>(index.data(RunsModel::DashRole).toInt());
    if (dash == Qt::SolidLine) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(bar, 2, 2);
        return;
    }
    QPen pen(colour, kWide, dash, Qt::FlatCap);
    constexpr double kStroke = 1.25, kHole = 0.75, kPoint = 0.5; // of the width: a short bar
    if (dash == Qt::DashLine)
        pen.setDashPattern({ kStroke, kHole });
    else if (dash == Qt::DotLine)
        pen.setDashPattern({ kPoint, kPoint });
    else
        pen.setDashPattern({ kStroke, kPoint, kPoint, kPoint });
    painter.setPen(pen);
    const double x = bar.left() + kWide / 2.0;
    painter.drawLine(QPointF(x, bar.top()), QPointF(x, bar.bottom() + 1));
}

// A pin's head and its needle, before the number.
void paintBaseline(QPainter& painter, const QStyleOptionViewItem& option)
{
    constexpr int kLeft = 14, kSize = 8; // px
    const QRectF head = fromLeading(
        option, { option.rect.left() + kLeft, option.rect.center().y() - 6, kSize, kSize });
    painter.setPen(QPen(theme().text, 1.4, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(head.center(), head.center() + QPointF(0, kSize + 3));
    painter.setBrush(theme().text);
    painter.drawEllipse(head.adjusted(1, 1, -1, -1));
}

} // namespace

void RunsDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QVariant named = index.data(RunsModel::FieldRole);
    if (!named.isValid()) { // a section
        QStyleOptionViewItem heading = option;
        heading.font = theme().titleFont();
        QStyledItemDelegate::paint(painter, heading, index);
        return;
    }
    const auto field = static_cast<RunField>(named.toInt());
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    cell.text.clear();
    const QWidget* widget = option.widget;
    (widget ? widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &cell, painter, widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setClipRect(option.rect);
    if (field == RunField::State)
        paintState(*painter, cell, index);
    else if (field == RunField::Tags)
        paintTags(*painter, cell, index);
    else
        paintText(*painter, cell, index, 0);
    if (field == RunField::Number) {
        paintMark(*painter, cell, index);
        if (index.data(RunsModel::BaselineRole).toBool())
            paintBaseline(*painter, cell);
    }
    painter->restore();
}

QSize RunsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return { QStyledItemDelegate::sizeHint(option, index).width(), Theme::kRowHeight };
}

QWidget* RunsDelegate::createEditor(
    QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto field = static_cast<RunField>(index.data(RunsModel::FieldRole).toInt());
    if (field == RunField::Notes) {
        auto* notes = new QPlainTextEdit(parent);
        notes->setTabChangesFocus(true);
        notes->setAccessibleName(tr("Notes"));
        return notes;
    }
    QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
    editor->setAccessibleName(titleOf(field));
    if (auto* line = qobject_cast<QLineEdit*>(editor); line && field == RunField::Tags)
        line->setPlaceholderText(tr("baseline, long, …"));
    return editor;
}

// Notes get room for some lines, inside the view.
void RunsDelegate::updateEditorGeometry(
    QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QRect place = option.rect;
    if (qobject_cast<QPlainTextEdit*>(editor)) {
        place.setHeight(Theme::kRowHeight * 3);
        place.setWidth(std::max(place.width(), 260));
        const QRect room = editor->parentWidget()->rect();
        place.moveRight(std::min(place.right(), room.right()));
        place.moveBottom(std::min(place.bottom(), room.bottom()));
        place.moveTop(std::max(place.top(), 0));
        editor->setGeometry(place);
        return;
    }
    QStyledItemDelegate::updateEditorGeometry(editor, option, index);
}

} // namespace stageloom
