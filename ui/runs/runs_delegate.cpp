// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_delegate.h"

#include "ui/runs/run_marks.h"
#include "ui/runs/runs_table.h"
#include "ui/theme/theme.h"
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <cmath>

namespace stageloom {

namespace {

constexpr int kMargin = 8, kDot = 9, kChipPad = 6, kBox = 16; // px

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
    painter.setFont(option.font);
    painter.drawText(place, static_cast<int>(aligned),
        painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, place.width()));
}

void paintState(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const QRect dot(option.rect.left() + kMargin, option.rect.center().y() - kDot / 2, kDot, kDot);
    paintDot(painter, QRectF(fromLeading(option, dot)),
        static_cast<RunState>(index.data(RunsModel::StateRole).toInt()));
    painter.setPen(theme().text);
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

// A tick, with the mark of the run's curves where they are shown.
void paintTick(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const Theme& t = theme();
    const QRectF box = fromLeading(
        option, { option.rect.left() + 6, option.rect.center().y() - kBox / 2 + 1, kBox, kBox });
    const int slot = index.data(RunsModel::SlotRole).toInt();
    const bool ticked = option.state.testFlag(QStyle::State_Selected);
    const QColor edge = ticked && slot >= 0 ? t.run(slot) : Theme::mix(t.muted, t.panel, 0.5);
    painter.setPen(QPen(edge, ticked ? 1.6 : 1));
    painter.setBrush(t.panel);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    if (slot >= 0)
        paintRunMark(painter, box.adjusted(4, 4, -4, -4), slot);
}

// A pin's head and its needle, behind the name.
void paintPin(QPainter& painter, const QStyleOptionViewItem& option, int nameWidth)
{
    constexpr int kSize = 8; // px
    const int left
        = std::min(option.rect.left() + kMargin + nameWidth + 8, option.rect.right() - kSize);
    const QRectF head = fromLeading(option, { left, option.rect.center().y() - 6, kSize, kSize });
    painter.setPen(QPen(theme().accent, 1.4, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(head.center(), head.center() + QPointF(0, kSize + 2));
    painter.setBrush(theme().accent);
    painter.drawEllipse(head.adjusted(1, 1, -1, -1));
}

// Better than the baseline, worse, or the same as far as the digits go.
QColor differenceColour(const RunEntry& entry, RunField field)
{
    const Theme& t = theme();
    if (!entry.difference || entry.difference->isBaseline)
        return t.muted;
    const bool validation = field == RunField::ValidationDelta;
    const double value = std::round(numberOf(entry, field) * 1e3) * (validation ? -1 : 1);
    return value > 0 ? t.good : value < 0 ? t.warning : t.muted;
}

} // namespace

void RunsDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& t = theme();
    const QVariant named = index.data(RunsModel::FieldRole);
    painter->save();
    if (!named.isValid()) { // a section: its title, then what is in it
        painter->fillRect(option.rect, t.ground);
        const QString text = index.data().toString();
        const QString title = text.section(QStringLiteral("   "), 0, 0);
        painter->setFont(t.titleFont());
        painter->setPen(t.text);
        const QRect place = option.rect.adjusted(kMargin, 0, -kMargin, 0);
        painter->drawText(place, Qt::AlignVCenter | Qt::AlignLeading, title);
        const int wide = painter->fontMetrics().horizontalAdvance(title) + 12;
        painter->setFont(t.captionFont());
        painter->setPen(t.muted);
        painter->drawText(option.direction == Qt::RightToLeft ? place.adjusted(0, 0, -wide, 0)
                                                              : place.adjusted(wide, 0, 0, 0),
            Qt::AlignVCenter | Qt::AlignLeading, text.section(QStringLiteral("   "), 1));
        painter->restore();
        return;
    }
    const auto field = static_cast<RunField>(named.toInt());
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const auto* table = qobject_cast<const RunsTable*>(option.widget);
    const QModelIndex currentRow = table ? table->currentIndex() : QModelIndex();
    const bool current = currentRow.row() == index.row() && currentRow.parent() == index.parent();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setClipRect(option.rect);
    painter->fillRect(option.rect, current ? t.accentSoft : t.panel);
    painter->fillRect(QRect(option.rect.bottomLeft(), QSize(option.rect.width(), 1)),
        Theme::mix(t.line, t.panel, 0.5));
    cell.font = t.valueFont();
    cell.font.setBold(current && (field == RunField::Name || field == RunField::Number));
    painter->setPen(t.text);
    if (field == RunField::State) {
        paintState(*painter, cell, index);
    } else if (field == RunField::Tags) {
        paintTags(*painter, cell, index);
    } else if (field == RunField::ValidationDelta || field == RunField::RateDelta) {
        if (const RunEntry* entry = table ? table->runsModel().entryAt(index) : nullptr)
            painter->setPen(differenceColour(*entry, field));
        paintText(*painter, cell, index, 0);
    } else {
        paintText(
            *painter, cell, index, field == RunField::Number ? RunsTable::kTick - kMargin : 0);
    }
    if (field == RunField::Number)
        paintTick(*painter, cell, index);
    if (field == RunField::Number && current)
        painter->fillRect(
            fromLeading(cell, QRect(option.rect.topLeft(), QSize(3, option.rect.height()))),
            t.accent);
    if (field == RunField::Name && index.data(RunsModel::BaselineRole).toBool())
        paintPin(
            *painter, cell, QFontMetrics(cell.font).horizontalAdvance(index.data().toString()));
    painter->restore();
}

QSize RunsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return { QStyledItemDelegate::sizeHint(option, index).width(), RunsTable::kRow };
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
