// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/question.h"

#include <QMessageBox>
#include <QPushButton>

namespace stageloom {

int ask(QWidget* parent, const QString& title, const QString& question, const QStringList& answers)
{
    QMessageBox box(parent);
    box.setWindowTitle(title);
    box.setTextFormat(Qt::PlainText); // names of plans and runs are not markup
    box.setText(question);
    QList<QAbstractButton*> buttons;
    for (const QString& answer : answers)
        buttons << box.addButton(answer, QMessageBox::AcceptRole);
    QPushButton* cancel = box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(qobject_cast<QPushButton*>(buttons.first()));
    box.setEscapeButton(cancel);
    box.exec();
    return static_cast<int>(buttons.indexOf(box.clickedButton()));
}

} // namespace stageloom
