// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/ask_for_file.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(AskForFile)
};

bool mayOverwrite(QWidget* parent, const QString& title, const QString& path)
{
    if (!QFileInfo::exists(path))
        return true;
    QMessageBox box(parent);
    box.setWindowTitle(title);
    box.setTextFormat(Qt::PlainText);
    box.setText(Words::tr("%1 exists already. Write over it?").arg(QFileInfo(path).fileName()));
    QPushButton* agree = box.addButton(Words::tr("Write over it"), QMessageBox::AcceptRole);
    box.setDefaultButton(box.addButton(QMessageBox::Cancel));
    box.exec();
    return box.clickedButton() == agree;
}

} // namespace

QString askForFile(QWidget* parent, const QString& title, const QString& suggested,
    const QString& kind, const QString& suffix)
{
    const QFileInfo info(suggested);
    QFileDialog dialog(parent, title, info.isAbsolute() ? info.absolutePath() : QString(),
        QStringLiteral("%1 (*%2)").arg(kind, suffix));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setFileMode(QFileDialog::AnyFile);
    dialog.setOption(QFileDialog::DontConfirmOverwrite); // the name is not whole yet
    dialog.selectFile(info.fileName());
    while (dialog.exec() == QDialog::Accepted) {
        QString path = dialog.selectedFiles().value(0);
        if (!path.endsWith(suffix))
            path += suffix;
        if (mayOverwrite(parent, title, path))
            return path;
    }
    return {};
}

} // namespace stageloom
